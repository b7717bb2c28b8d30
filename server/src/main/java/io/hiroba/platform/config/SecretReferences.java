package io.hiroba.platform.config;

import io.hiroba.platform.vault.Vault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Replaces values of secret keys that name a file ({@code file:/run/secrets/db}), a credential of systemd ({@code credential:db}) or a
 * secret of Vault ({@code vault:secret/hiroba#db}) by what is there.
 */
final class SecretReferences implements AutoCloseable {

    private static final String FILE = "file:";
    private static final String CREDENTIAL = "credential:";
    private static final String CREDENTIALS = "CREDENTIALS_DIRECTORY";
    private static final String VAULT = "vault:";

    private final Map<String, String> environment;
    private final List<String> errors;
    private final Map<String, String> resolved = new HashMap<>();
    private @Nullable Vault vault;

    SecretReferences(Map<String, String> environment, List<String> errors) {
        this.environment = environment;
        this.errors = errors;
    }

    void resolve(ConfigKeys keys, Map<String, Setting> settings) {
        settings.replaceAll(
                (path, setting) -> keys.find(path).filter(ConfigKey::secret).isPresent() ? resolved(setting) : setting);
    }

    private Setting resolved(Setting setting) {
        var text = setting.text().strip();
        if (Stream.of(FILE, CREDENTIAL, VAULT).noneMatch(text::startsWith)) {
            return setting;
        }
        try {
            var value = text(text);
            resolved.put(setting.path(), text);
            return new Setting(setting.path(), value, setting.origin() + ", " + text);
        } catch (IOException | InvalidPathException e) {
            errors.add("`%s` from %s: %s cannot be read: %s"
                    .formatted(setting.path(), setting.origin(), text, e.getMessage()));
            return new Setting(setting.path(), "", setting.origin());
        }
    }

    /** What was named instead of a secret, by the settings' paths. */
    Map<String, String> resolved() {
        return Map.copyOf(resolved);
    }

    /** What is there now; a secret of Vault as it was when it was first asked for, until {@link #refresh}. */
    String text(String reference) throws IOException {
        return reference.startsWith(FILE)
                ? content(reference.substring(FILE.length()))
                : reference.startsWith(CREDENTIAL)
                        ? credential(reference.substring(CREDENTIAL.length()))
                        : secret(reference);
    }

    void refresh() throws IOException {
        if (vault != null) {
            vault.refresh();
        }
    }

    /** The text of a credential that systemd has handed to the service by {@code LoadCredential} or {@code SetCredentialEncrypted}. */
    private String credential(String name) throws IOException {
        var folder = environment.getOrDefault(CREDENTIALS, "");
        if (folder.isEmpty()) {
            throw new IOException("systemd has handed no credentials to this program: " + CREDENTIALS + " is not set");
        }
        if (!name.matches("[A-Za-z0-9_.-]+") || name.contains("..")) {
            throw new IOException("write it as credential:db-password");
        }
        return content(Path.of(folder, name).toString());
    }

    /** The text of a file, whose last line break does not count. */
    private static String content(String file) throws IOException {
        var path = Path.of(file);
        if (!Files.isRegularFile(path)) {
            throw new IOException("there is no such file");
        }
        return Files.readString(path).replaceFirst("\\R$", "");
    }

    @Override
    public void close() {
        if (vault != null) {
            vault.close();
        }
    }

    private String secret(String reference) throws IOException {
        if (vault == null) {
            vault = Vault.of(environment);
        }
        return vault.text(reference.substring(VAULT.length()));
    }
}
