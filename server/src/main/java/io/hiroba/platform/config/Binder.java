package io.hiroba.platform.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Binds settings to records and collects the errors. */
final class Binder {

    private final ConfigKeys keys;
    private final Map<String, Setting> settings;
    private final List<String> errors;
    private final Map<String, SecretText> secrets = new LinkedHashMap<>();

    Binder(ConfigKeys keys, Map<String, Setting> settings, List<String> errors) {
        this.keys = keys;
        this.settings = settings;
        this.errors = errors;
    }

    /** The secrets that were bound, by their paths. */
    Map<String, SecretText> secrets() {
        return secrets;
    }

    /** The record at {@code prefix}; none if it has errors, which are collected. */
    <T> Optional<T> bind(Class<T> type, String prefix) {
        var components = type.getRecordComponents();
        var arguments = new @Nullable Object[components.length];
        boolean complete = true;
        for (int i = 0; i < components.length; i++) {
            var value = component(components[i], prefix + ConfigKey.kebab(components[i].getName()));
            arguments[i] = value.orElse(null);
            complete &= value.isPresent();
        }
        return complete ? construct(type, arguments, prefix) : Optional.empty();
    }

    private Optional<?> component(RecordComponent component, String path) {
        var mapped = ConfigKeys.mapValue(component.getGenericType());
        if (mapped.isPresent()) {
            return map(mapped.get(), path);
        }
        if (component.getType().isRecord() && !ConfigValues.isValue(component.getType())) {
            return bind(component.getType(), path + ".");
        }
        return value(path);
    }

    private Optional<?> map(Class<?> type, String path) {
        var names = new TreeSet<String>();
        settings.keySet().stream()
                .filter(key -> key.startsWith(path + "."))
                .forEach(key -> names.add(key.substring(path.length() + 1).split("\\.", 2)[0]));
        var entries = new LinkedHashMap<String, Object>();
        boolean complete = true;
        for (var name : names) {
            var at = path + "." + name;
            var entry = type.isRecord() && !ConfigValues.isValue(type) ? bind(type, at + ".") : value(at);
            entry.ifPresent(present -> entries.put(name, present));
            complete &= entry.isPresent();
        }
        return complete ? Optional.of(Map.copyOf(entries)) : Optional.empty();
    }

    private Optional<Object> value(String path) {
        var key = keys.find(path).orElseThrow();
        var setting = settings.get(path);
        if (setting == null && key.fallback().isEmpty()) {
            errors.add("`%s` is required: set it in hiroba.yaml, as %s or with --%s"
                    .formatted(path, ConfigKey.environmentName(path), path));
            return Optional.empty();
        }
        var effective = setting == null ? new Setting(path, key.fallback().orElseThrow(), Setting.DEFAULT) : setting;
        settings.put(path, effective);
        try {
            var value = ConfigValues.parse(key.type(), effective.text());
            if (value instanceof SecretText secret) {
                secrets.put(path, secret);
            }
            return Optional.of(value);
        } catch (IllegalArgumentException e) {
            errors.add("`%s`%s %s%s"
                    .formatted(
                            path,
                            effective.from(),
                            e.getMessage(),
                            key.secret() ? "" : ": `" + effective.text() + "`"));
            return Optional.empty();
        }
    }

    private <T> Optional<T> construct(Class<T> type, @Nullable Object[] arguments, String prefix) {
        try {
            return Optional.of(constructor(type).newInstance(arguments));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refusal) {
                errors.add(refusal(type, prefix, String.valueOf(refusal.getMessage())));
                return Optional.empty();
            }
            throw new IllegalStateException("cannot make " + type.getName(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + type.getName(), e);
        }
    }

    private static <T> Constructor<T> constructor(Class<T> type) throws NoSuchMethodException {
        var parameters = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        var constructor = type.getDeclaredConstructor(parameters);
        constructor.setAccessible(true);
        return constructor;
    }

    /** Adds the origin of the key if the message begins with it, as {@code pool-size must be …} does. */
    private String refusal(Class<?> type, String prefix, String message) {
        var first = message.split(" ", 2)[0];
        var named = Arrays.stream(type.getRecordComponents())
                .map(component -> ConfigKey.kebab(component.getName()))
                .filter(first::equals)
                .findFirst();
        var setting = named.map(name -> settings.get(prefix + name)).orElse(null);
        if (setting == null) {
            return prefix.isEmpty() ? message : "`%s`: %s".formatted(prefix.substring(0, prefix.length() - 1), message);
        }
        return "`%s`%s%s".formatted(setting.path(), setting.from(), message.substring(first.length()));
    }
}
