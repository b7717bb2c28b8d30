package io.hiroba.backup;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.embedded.Folders;
import io.hiroba.embedded.Recovery;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Restores a backup on trial: every checksum, the recovery, every index and every row. The rows are counted and must be as many
 * whenever it is verified.
 */
final class BackupVerification {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final BackupSecret secret;
    private final InstantSource clock;
    private final Consumer<Text> progress;
    private final boolean isLowPriority;
    private final long bytesPerSecond;
    private final DiskReserve reserve;

    BackupVerification(BackupSecret secret, InstantSource clock, Consumer<Text> progress) {
        this(secret, clock, progress, false, 0, DiskReserve.OF_DATABASE);
    }

    /**
     * @param bytesPerSecond 0 for as fast as it goes
     * @param reserve what the trial leaves of the disk of the backups
     */
    BackupVerification(
            BackupSecret secret,
            InstantSource clock,
            Consumer<Text> progress,
            boolean isLowPriority,
            long bytesPerSecond,
            DiskReserve reserve) {
        this.secret = secret;
        this.clock = clock;
        this.progress = progress;
        this.isLowPriority = isLowPriority;
        this.bytesPerSecond = bytesPerSecond;
        this.reserve = reserve;
    }

    /** The result of the last time, {@code verified.json} in the backup. */
    record Verified(Instant at, SortedMap<String, Long> rows) {

        long count() {
            return rows.values().stream().mapToLong(rows -> rows).sum();
        }
    }

    static @Nullable Verified of(FullBackup backup) {
        try {
            return JSON.readValue(Files.readString(backup.folder().resolve(BackupFolder.VERIFIED)), Verified.class);
        } catch (IOException | JacksonException e) {
            return null;
        }
    }

    Verified verify(FullBackup backup) throws IOException, SQLException {
        var folder = BackupChoice.parent(backup);
        var scratch = folder.resolve(backup.name() + BackupFolder.TRIAL);
        var rows = new TreeMap<String, Long>();
        Folders.delete(scratch);
        try {
            new RestoreRun(secret, progress, isLowPriority, bytesPerSecond, reserve)
                    .restore(backup, false, Optional.empty(), scratch, server -> rows.putAll(Recovery.inspect(server)));
        } finally {
            Folders.delete(scratch);
            // What one that failed has left.
            new BackupFolder(folder).removeTrials();
        }
        var before = of(backup);
        if (before != null && !before.rows().equals(rows)) {
            throw StoredFiles.damaged(backup.folder());
        }
        var verified = new Verified(clock.instant(), rows);
        Files.writeString(backup.folder().resolve(BackupFolder.VERIFIED), JSON.writeValueAsString(verified));
        return verified;
    }
}
