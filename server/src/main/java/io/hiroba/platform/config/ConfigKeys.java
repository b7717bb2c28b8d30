package io.hiroba.platform.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The keys of a tree of configuration records, in the order the records name them. */
final class ConfigKeys {

    private final List<ConfigKey> keys;
    private final Map<String, ConfigKey> byPath;
    private final List<ConfigKey> withChosenPart;

    private ConfigKeys(List<ConfigKey> keys) {
        this.keys = keys;
        this.byPath = keys.stream().collect(Collectors.toMap(ConfigKey::path, Function.identity()));
        this.withChosenPart = keys.stream().filter(ConfigKey::hasChosenPart).toList();
    }

    static ConfigKeys of(Class<?> root) {
        var keys = new ArrayList<ConfigKey>();
        collect(root, "", keys);
        return new ConfigKeys(List.copyOf(keys));
    }

    List<ConfigKey> all() {
        return keys;
    }

    Optional<ConfigKey> find(String path) {
        var exact = byPath.get(path);
        return exact != null
                ? Optional.of(exact)
                : withChosenPart.stream().filter(key -> key.matches(path)).findFirst();
    }

    /** The key and path an environment variable sets; an exact name wins over one with a chosen part. */
    Optional<String> pathOf(String variable) {
        return keys.stream()
                .sorted(Comparator.comparing(ConfigKey::hasChosenPart))
                .flatMap(key -> key.pathOf(variable).stream())
                .findFirst();
    }

    private static void collect(Class<?> type, String prefix, List<ConfigKey> keys) {
        for (var component : type.getRecordComponents()) {
            var path = prefix + ConfigKey.kebab(component.getName());
            var mapped = mapValue(component.getGenericType());
            if (component.getType().isRecord() && !ConfigValues.isValue(component.getType())) {
                collect(component.getType(), path + ".", keys);
            } else if (mapped.isPresent() && mapped.get().isRecord()) {
                collect(mapped.get(), path + "." + ConfigKey.NAME + ".", keys);
            } else if (mapped.isPresent()) {
                keys.add(key(component, path + "." + ConfigKey.NAME, mapped.get()));
            } else {
                keys.add(key(component, path, component.getGenericType()));
            }
        }
    }

    private static ConfigKey key(RecordComponent component, String path, Type type) {
        var fallback = component.getAnnotation(Default.class);
        var meaning = component.getAnnotation(Doc.class);
        return new ConfigKey(
                path,
                type,
                Optional.ofNullable(fallback).map(Default::value),
                component.isAnnotationPresent(Secret.class),
                meaning == null ? "" : meaning.value());
    }

    /** The class of the values if {@code type} is a map by name. */
    static Optional<Class<?>> mapValue(Type type) {
        return type instanceof ParameterizedType generic
                        && generic.getRawType() == Map.class
                        && generic.getActualTypeArguments()[1] instanceof Class<?> value
                ? Optional.of(value)
                : Optional.empty();
    }
}
