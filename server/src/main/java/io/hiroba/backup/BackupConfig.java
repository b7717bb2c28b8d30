package io.hiroba.backup;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;

/** The configuration of backups that the server makes by itself. */
public record BackupConfig(
        @Default("")
        @Doc(
                "The folder for backups of the embedded database with all files, best on another disk. Empty means that only"
                        + " `./hiroba backup` makes any, unless there is a bucket: then it is `backups` in the data folder,"
                        + " and holds the newest alone.")
        Path folder,

        @Default("00:00") @Doc("The time of day (UTC) of the daily full backup.")
        String at,

        @Default("30d") @Doc("How long full backups are kept; the newest always stays.")
        Duration keep,

        @Default("true")
        @Doc("Whether the write-ahead log is archived there every minute, so that any time can be restored.")
        boolean wal,

        @Default("7d") @Doc("How long the archived log is kept: the times that can be restored.")
        Duration keepWal,

        @Default("26h") @Doc("The age of the newest full backup from which on admins have an inbox item about it.")
        Duration lateAfter,

        @Default("30d")
        @Doc("How often the newest full backup is restored on trial, beside it and at low priority; 0s for never.")
        Duration verifyEvery,

        @Default("")
        @Doc(
                "A file with the passphrase that backups are encrypted with, 16 characters at least. Keep it elsewhere too: without it no backup opens.")
        Path keyFile,

        @Default("") @Secret @Doc("The passphrase itself, instead of the file.")
        String passphrase,

        @Default("0B") @Doc("How much a backup reads in a second; 0B for as much as it can.")
        ByteSize limit,

        BackupS3Config s3) {

    public BackupConfig {
        if (BackupS3Config.ADDRESS.matcher(folder.toString()).matches()) {
            throw new IllegalArgumentException("folder must be a folder of this machine; a bucket is s3.bucket");
        }
        try {
            LocalTime.parse(at);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("at must be a time of day such as 00:00", e);
        }
        if (!passphrase.isEmpty() && !keyFile.toString().isEmpty()) {
            throw new IllegalArgumentException("key-file or passphrase may be set, not both");
        }
        if (!passphrase.isEmpty() && passphrase.length() < SHORTEST_PASSPHRASE) {
            throw new IllegalArgumentException("passphrase must have " + SHORTEST_PASSPHRASE + " characters at least");
        }
        if (wal && keep.compareTo(keepWal.plusDays(1)) < 0) {
            // A time is reached from the full backup before it.
            throw new IllegalArgumentException("keep must be a day longer than keep-wal at least");
        }
        if (wal && s3.isConfigured() && s3.keep().compareTo(keepWal.plusDays(1)) < 0) {
            throw new IllegalArgumentException("s3.keep must be a day longer than keep-wal at least");
        }
    }

    static final int SHORTEST_PASSPHRASE = 16;

    /** The secret that backups are encrypted with, if there is any. */
    BackupSecret secret() {
        return keyFile.toString().isEmpty() ? new BackupSecret(passphrase) : BackupSecret.of(keyFile.toAbsolutePath());
    }

    @Override
    public String toString() {
        return "BackupConfig[folder=%s, s3=%s]".formatted(folder, s3);
    }

    /** The folder in a data folder that backups are made in before they go to a bucket. */
    static final String STAGING = "backups";

    public boolean isConfigured() {
        return !folder.toString().isEmpty() || s3.isConfigured();
    }

    /** Whether backups in the folder are only on their way to a bucket. */
    boolean isStaging() {
        return folder.toString().isEmpty();
    }

    /** The folder for backups. */
    public Path folderIn(Path data) {
        return isStaging() ? data.resolve(STAGING) : folder.toAbsolutePath();
    }

    /** The folder for what commands fetch from a bucket. */
    Path downloadsIn(Path data) {
        return data.resolve(STAGING).resolve("download");
    }

    LocalTime time() {
        return LocalTime.parse(at);
    }
}
