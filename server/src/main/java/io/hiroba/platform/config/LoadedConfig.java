package io.hiroba.platform.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A bound configuration with the origin of each value. */
public final class LoadedConfig<T extends Record> {

    private final T value;
    private final ConfigKeys keys;
    private final Map<String, Setting> settings;
    private final Map<String, String> environment;
    private final Optional<Path> file;
    private final List<SecretRotation.Source> secrets;

    LoadedConfig(
            T value,
            ConfigKeys keys,
            Map<String, Setting> settings,
            Map<String, String> environment,
            Optional<Path> file,
            List<SecretRotation.Source> secrets) {
        this.value = value;
        this.keys = keys;
        this.settings = new LinkedHashMap<>(settings);
        this.environment = Map.copyOf(environment);
        this.file = file;
        this.secrets = List.copyOf(secrets);
    }

    public T value() {
        return value;
    }

    /** The variables that it was read with, which may name more, such as where Vault is. */
    public Map<String, String> environment() {
        return environment;
    }

    /** Reads the secrets that lie in files or in Vault again each minute, until the answer is closed. */
    public AutoCloseable keepSecrets() {
        return keepSecrets(SecretRotation.INTERVAL);
    }

    /** As above, at another interval. */
    public AutoCloseable keepSecrets(Duration interval) {
        return secrets.isEmpty() ? () -> {} : new SecretRotation(environment, secrets, interval);
    }

    /** The file that it was read from, if there was one. */
    public Optional<Path> file() {
        return file;
    }

    /** Whether an operator set {@code key}, rather than its default applying. */
    public boolean isSet(String key) {
        var setting = settings.get(key);
        return setting != null && !setting.origin().equals(Setting.DEFAULT);
    }

    /** All settings in effect, in the order of the reference, with secrets masked. */
    public List<EffectiveSetting> settings() {
        return keys.all().stream()
                .flatMap(key -> settings(key).map(setting -> EffectiveSetting.of(key, setting)))
                .toList();
    }

    private Stream<Setting> settings(ConfigKey key) {
        return key.hasChosenPart()
                ? settings.values().stream()
                        .filter(setting -> key.matches(setting.path()))
                        .sorted(Comparator.comparing(Setting::path))
                : Stream.ofNullable(settings.get(key.path()));
    }

    /** The effective configuration as YAML, with the origin of each value as a comment and secrets masked. */
    public String print() {
        return new ConfigPrinter(keys, settings).print();
    }
}
