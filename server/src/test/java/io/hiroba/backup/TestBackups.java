package io.hiroba.backup;

import io.hiroba.platform.config.ByteSize;
import java.nio.file.Path;
import java.time.Duration;

/** The usual settings of backups, to a folder or a bucket. */
final class TestBackups {

    private TestBackups() {}

    /** The settings of no bucket. */
    static BackupS3Config noBucket() {
        return new BackupS3Config("", "", "us-east-1", "", "", "", false, Duration.ofDays(30));
    }

    static BackupConfig config(Path to, String passphrase) {
        return config(to, Duration.ofDays(30), passphrase, noBucket());
    }

    static BackupConfig config(Path to, Duration keep, String passphrase, BackupS3Config s3) {
        return new BackupConfig(
                to,
                "00:00",
                keep,
                true,
                Duration.ofDays(7),
                Duration.ofHours(26),
                Duration.ofDays(30),
                Path.of(""),
                passphrase,
                new ByteSize(0),
                s3);
    }
}
