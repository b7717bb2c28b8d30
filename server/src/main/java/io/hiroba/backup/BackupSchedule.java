package io.hiroba.backup;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the full backup of each day, archives the log between them, and removes what is older than it has to be kept. */
final class BackupSchedule {

    private static final Logger log = LoggerFactory.getLogger(BackupSchedule.class);
    private static final Duration RETRY = Duration.ofMinutes(30);

    private final BackupConfig config;
    private final BackupSources sources;
    private final InstantSource clock;
    private final BackupFolder folder;
    private Instant retryAt = Instant.MIN;
    private @Nullable DataFiles files;
    private volatile boolean stopping;

    BackupSchedule(BackupConfig config, BackupSources sources, InstantSource clock) {
        this.config = config;
        this.sources = sources;
        this.clock = clock;
        this.folder = new BackupFolder(config.folder());
    }

    /** The newest full backup of this data folder. */
    Optional<FullBackup> newest() throws IOException {
        var instance = BackupWriter.instance(sources.data());
        return folder.list().stream()
                .filter(backup -> backup.manifest().instance().equals(instance))
                .reduce((older, newer) -> newer);
    }

    /** Makes a backup if none was begun since the time of day that it is due at. */
    void runIfDue() {
        var now = clock.instant();
        try {
            var newest = newest();
            if (now.isBefore(retryAt)
                    || newest.filter(backup -> !backup.manifest().started().isBefore(lastDue(now)))
                            .isPresent()) {
                return;
            }
            retryAt = now.plus(RETRY);
            var writer = new BackupWriter(sources, folder, clock, this::tell);
            writer.write(config.limit().bytes());
            writer.removeOlder(config.keep());
            removeLog(now.minus(config.keepWal()));
        } catch (BackupException e) {
            log.warn("The backup was not made: {}", e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException("the backup could not be made", e);
        } catch (SQLException e) {
            throw new IllegalStateException("the backup could not be made", e);
        }
    }

    private Instant lastDue(Instant now) {
        var today = now.atOffset(ZoneOffset.UTC).with(config.time()).toInstant();
        return today.isAfter(now) ? today.minus(Duration.ofDays(1)) : today;
    }

    private void tell(Text step) {
        if (stopping) {
            throw new BackupException(Text.of("backup.problem.stopped"));
        }
        log.info("backup: {}", step);
    }

    /** Archives the log and new files. */
    void archive() {
        try (var stream = WalArchive.open(sources)) {
            var instance = BackupWriter.instance(sources.data());
            var archive = new WalArchive(folder.root(), instance);
            if (files == null) {
                // Its files need no second copy; before the first there is nothing to restore to anyway.
                var newest = newest();
                if (newest.isEmpty()) {
                    return;
                }
                var stored = new StoredFiles(archive.files(), new TransferMeter(text -> {}, 0));
                files = new DataFiles(sources, folder.root(), stored, newest);
            }
            archive.update(stream, files);
        } catch (IOException e) {
            throw new UncheckedIOException("the write-ahead log could not be archived", e);
        } catch (SQLException e) {
            throw new IllegalStateException("the write-ahead log could not be archived", e);
        }
    }

    /** Removes the log that leads only to times before {@code bound}. */
    private void removeLog(Instant bound) throws IOException {
        var instance = BackupWriter.instance(sources.data());
        var own = folder.list().stream()
                .filter(backup -> backup.manifest().instance().equals(instance))
                .toList();
        var needed = own.stream()
                .filter(backup -> backup.manifest().consistent().isBefore(bound))
                .reduce((older, newer) -> newer)
                .or(() -> own.stream().findFirst());
        if (needed.isPresent()) {
            new WalArchive(folder.root(), instance).removeBefore(needed.get().manifest());
        }
    }

    /** The time up to which the log is archived. */
    Optional<Instant> archivedUntil() throws IOException {
        return new WalArchive(folder.root(), BackupWriter.instance(sources.data())).until();
    }

    void stop() {
        stopping = true;
    }
}
