package io.hiroba.backup;

import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The passphrase of backups, of which each data folder's key is derived once; an empty one encrypts nothing. */
final class BackupSecret {

    static final BackupSecret NONE = new BackupSecret("");

    private final String passphrase;
    private final Map<String, BackupCipher> ciphers = new ConcurrentHashMap<>();

    BackupSecret(String passphrase) {
        this.passphrase = passphrase;
    }

    /** The text of a file, whose last line break does not count. */
    static BackupSecret of(Path file) {
        try {
            var text = Files.readString(file).strip();
            if (text.length() < BackupConfig.SHORTEST_PASSPHRASE) {
                throw new BackupException(Text.of("backup.problem.key-short", "file", file));
            }
            return new BackupSecret(text);
        } catch (IOException e) {
            throw new BackupException(Text.of("backup.problem.key-file", "file", file));
        }
    }

    /** The cipher for new backups of a data folder. */
    BackupCipher cipher(String instance) {
        return passphrase.isEmpty()
                ? BackupCipher.NONE
                : ciphers.computeIfAbsent(instance, name -> BackupCipher.of(passphrase, name));
    }

    /** The cipher that a backup was made with. */
    BackupCipher cipher(Path backup, BackupManifest manifest) {
        return cipher(backup, manifest.instance(), manifest.key());
    }

    /** @param key the name of the key, as its description has it */
    BackupCipher cipher(Path backup, String instance, String key) {
        if (key.isEmpty()) {
            return BackupCipher.NONE;
        }
        if (passphrase.isEmpty()) {
            throw new BackupException(Text.of("backup.problem.key-needed", "folder", backup));
        }
        var cipher = cipher(instance);
        if (!cipher.id().equals(key)) {
            throw new BackupException(Text.of("backup.problem.key-wrong", "folder", backup, "key", key));
        }
        return cipher;
    }
}
