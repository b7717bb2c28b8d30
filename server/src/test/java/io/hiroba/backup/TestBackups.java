package io.hiroba.backup;

import io.hiroba.platform.config.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

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

    /** The description of a backup, whose instance and system may be given. */
    static BackupManifest manifest(Instant started) {
        return manifest(started, "00000000-0000-4000-8000-000000000001", "1");
    }

    static BackupManifest manifest(Instant started, String instance, String systemId) {
        return new BackupManifest(
                BackupManifest.FORMAT,
                "0.0.1",
                instance,
                "17",
                systemId,
                Map.of(),
                started,
                started,
                started,
                "0/1",
                "0/2",
                1,
                1,
                1,
                1,
                1,
                1L,
                "",
                "");
    }
}
