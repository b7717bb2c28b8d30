package io.hiroba.platform.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Binds a tree of records. A record component {@code poolSize} of {@code database} is the key
 * {@code database.pool-size}, the variable {@code HIROBA_DATABASE_POOL_SIZE} and the flag {@code --database.pool-size}.
 */
public final class ConfigLoader<T extends Record> {

    private final Class<T> root;
    private @Nullable Path file;
    private boolean fileRequired;
    private Map<String, String> environment = Map.of();
    private List<String> arguments = List.of();
    private final Map<String, String> aliases = new LinkedHashMap<>();

    private ConfigLoader(Class<T> root) {
        this.root = root;
    }

    public static <T extends Record> ConfigLoader<T> of(Class<T> root) {
        return new ConfigLoader<>(root);
    }

    /** Reads {@code file} if it exists. */
    public ConfigLoader<T> file(Path file) {
        return file(file, false);
    }

    /** Reads {@code file}; a missing one is an error if it was given explicitly. */
    public ConfigLoader<T> file(Path file, boolean required) {
        this.file = file;
        this.fileRequired = required;
        return this;
    }

    public ConfigLoader<T> environment(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
        return this;
    }

    public ConfigLoader<T> arguments(List<String> arguments) {
        this.arguments = List.copyOf(arguments);
        return this;
    }

    /** A short flag for a key: {@code alias("port", "http.port")} makes {@code --port 80} mean {@code --http.port 80}. */
    public ConfigLoader<T> alias(String flag, String key) {
        aliases.put(flag, key);
        return this;
    }

    /**
     * Reads all sources and binds the records.
     *
     * @throws ConfigException with every error in every source
     */
    public LoadedConfig<T> load() {
        var keys = ConfigKeys.of(root);
        var errors = new ArrayList<String>();
        var settings = new LinkedHashMap<String, Setting>();
        if (file != null && Files.exists(file)) {
            YamlSource.read(file, settings, errors);
        } else if (file != null && fileRequired) {
            errors.add("there is no file %s".formatted(file));
        }
        EnvironmentSource.read(environment, keys, settings, errors);
        FlagSource.read(arguments, aliases, keys, settings, errors);
        settings.values().removeIf(setting -> refuseUnknown(setting, keys, errors));
        Map<String, String> resolved;
        try (var references = new SecretReferences(environment, errors)) {
            references.resolve(keys, settings);
            resolved = references.resolved();
        }
        var binder = new Binder(keys, settings, errors);
        var value = binder.bind(root, "");
        if (!errors.isEmpty()) {
            throw new ConfigException(errors);
        }
        var found = Optional.ofNullable(file).filter(Files::isRegularFile).map(Path::toAbsolutePath);
        var secrets = new ArrayList<SecretRotation.Source>();
        binder.secrets().forEach((path, text) -> {
            if (resolved.containsKey(path)) {
                secrets.add(new SecretRotation.Source(path, resolved.getOrDefault(path, ""), text));
            }
        });
        return new LoadedConfig<>(value.orElseThrow(), keys, settings, environment, found, secrets);
    }

    private boolean refuseUnknown(Setting setting, ConfigKeys keys, List<String> errors) {
        if (keys.find(setting.path()).isPresent()) {
            return false;
        }
        var known = new ArrayList<>(keys.all().stream().map(ConfigKey::path).toList());
        boolean flag = setting.origin().startsWith("--");
        if (flag) {
            known.addAll(aliases.keySet());
        }
        var hint = Nearest.to(setting.path(), known)
                .map(near -> ", did you mean `" + (flag ? "--" : "") + near + "`?")
                .orElse("");
        errors.add(
                flag
                        ? "unknown flag `%s`%s".formatted(setting.origin(), hint)
                        : "unknown key `%s` in %s%s".formatted(setting.path(), setting.origin(), hint));
        return true;
    }
}
