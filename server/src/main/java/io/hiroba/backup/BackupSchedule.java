package io.hiroba.backup;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.backup.BackupTroubles.Trouble;
import io.hiroba.backup.BackupVerification.Verified;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.WalStream;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the full backup of each day, archives the log between them, restores one on trial each month, and removes what is older than
 * it has to be kept.
 */
final class BackupSchedule {

    private static final Logger log = LoggerFactory.getLogger(BackupSchedule.class);
    private static final Duration VERIFY_RETRY = Duration.ofDays(1);
    static final Duration FIRST_VERIFICATION = Duration.ofDays(1);
    private static final Duration RETRY = Duration.ofMinutes(30);

    private final BackupConfig config;
    private final BackupSources sources;
    private final InstantSource clock;
    private final BackupFolder folder;
    private final BackupTroubles troubles;
    private final DiskReserve reserve;
    private @Nullable BackupSecret secret;
    private Instant retryAt = Instant.MIN;
    private @Nullable DataFiles files;
    private @Nullable FullBackup filesAfter;
    private volatile @Nullable FullBackup newest;
    private volatile @Nullable Instant archivedUntil;
    private volatile @Nullable Instant verifiedAt;
    private volatile @Nullable Instant firstBackup;
    private volatile boolean lacksLog;
    private volatile boolean failed;
    private Instant verifyAt = Instant.MIN;
    private volatile boolean stopping;

    BackupSchedule(BackupConfig config, BackupSources sources, InstantSource clock, BackupTroubles troubles) {
        this(config, sources, clock, troubles, DiskReserve.OF_DATABASE);
    }

    /** @param reserve on the disk of the database */
    BackupSchedule(
            BackupConfig config,
            BackupSources sources,
            InstantSource clock,
            BackupTroubles troubles,
            DiskReserve reserve) {
        this.config = config;
        this.sources = sources;
        this.clock = clock;
        this.folder = new BackupFolder(config.folderIn(sources.data()));
        this.troubles = troubles;
        this.reserve = reserve;
    }

    /** The newest full backup of this data folder, as it was found a minute ago at most. */
    Optional<FullBackup> newest() {
        return Optional.ofNullable(newest);
    }

    private Optional<FullBackup> find() throws IOException {
        var found = folder.list(BackupWriter.instance(sources.data())).stream().reduce((older, newer) -> newer);
        newest = found.orElse(null);
        return found;
    }

    /** Makes a backup if none was begun since the time of day that it is due at, or the archived log cannot be followed from it. */
    void runIfDue() {
        var now = clock.instant();
        try {
            var found = find();
            if (now.isBefore(retryAt)
                    || (!lacksLog
                            && found.filter(backup ->
                                            !backup.manifest().started().isBefore(lastDue(now)))
                                    .isPresent())) {
                return;
            }
            retryAt = now.plus(RETRY);
            failed = true;
            var writer = new BackupWriter(sources, folder, secret(), clock, this::tell, reserve);
            try {
                newest = writer.write(config.limit().bytes());
                lacksLog = false;
                failed = false;
                retryAt = Instant.MIN;
            } finally {
                // After a failure too: it may be for want of the room that this makes.
                removeOlder(writer, now);
            }
        } catch (BackupException e) {
            log.warn("The backup was not made: {}", e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException("the backup could not be made", e);
        } catch (SQLException e) {
            throw new IllegalStateException("the backup could not be made", e);
        }
    }

    /** The newest backup stays, and the log from it on. Of those that only wait for the bucket, which may be away for long, no other does. */
    private void removeOlder(BackupWriter writer, Instant now) {
        try {
            if (config.isStaging()) {
                folder.keepNewest(BackupWriter.instance(sources.data()));
                return;
            }
            writer.removeOlder(config.keep());
            removeLogs(now.minus(config.keepWal()));
        } catch (BackupException | IOException e) {
            log.warn("Backups that are past their time were not removed: {}", e.toString());
        }
    }

    /** Tells admins of a backup, or its copy, that is late, or of one that is there again. */
    void watch(boolean isCopyLate) {
        troubles.set(Trouble.LATE, isLate() || isCopyLate);
    }

    /** Whether the newest backup is too old, or the first could not be made. */
    boolean isLate() {
        return newest().map(backup ->
                        backup.manifest().started().plus(config.lateAfter()).isBefore(clock.instant()))
                .orElse(failed);
    }

    /** Restores the newest backup on trial if none was for so long; the first a day after it. */
    void verifyIfDue() {
        var now = clock.instant();
        try {
            var own = folder.list(BackupWriter.instance(sources.data()));
            var last = own.stream()
                    .map(BackupVerification::of)
                    .filter(Objects::nonNull)
                    .map(Verified::at)
                    .max(Comparator.naturalOrder());
            verifiedAt = last.orElse(null);
            firstBackup = own.isEmpty() ? null : own.getFirst().manifest().ended();
            if (own.isEmpty() || now.isBefore(verifyAt) || now.isBefore(due(own.getFirst(), last))) {
                return;
            }
            verifyAt = now.plus(VERIFY_RETRY);
            verifiedAt = verify(own.getLast()).orElse(verifiedAt);
        } catch (IOException e) {
            throw new UncheckedIOException("the backups could not be listed", e);
        }
    }

    private Instant due(FullBackup first, Optional<Instant> last) {
        return last.map(time -> time.plus(config.verifyEvery()))
                .orElseGet(() -> first.manifest().ended().plus(FIRST_VERIFICATION));
    }

    private Optional<Instant> verify(FullBackup backup) {
        try {
            var verified = new BackupVerification(
                            secret(), clock, this::tell, true, config.limit().bytes(), reserve)
                    .verify(backup);
            log.info("{} was restored on trial: {} rows", backup.name(), verified.count());
            troubles.set(Trouble.UNVERIFIED, false);
            return Optional.of(verified.at());
        } catch (IOException | SQLException | RuntimeException e) {
            if (!stopping) {
                // As text: an exception of the trial's own database tells nothing of whether this node's is away.
                log.warn("{} could not be restored on trial: {}", backup.name(), e.toString());
                troubles.set(Trouble.UNVERIFIED, true);
            }
            return Optional.empty();
        }
    }

    /** The time of the first backup that is kept. */
    Optional<Instant> firstBackup() {
        return Optional.ofNullable(firstBackup);
    }

    /** The time of the last trial that succeeded. */
    Optional<Instant> verifiedAt() {
        return Optional.ofNullable(verifiedAt);
    }

    /** Read when it is first needed: a file that cannot be read makes backups late, and does not keep the server from starting. */
    private synchronized BackupSecret secret() {
        if (secret == null) {
            secret = config.secret();
        }
        return secret;
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

    /** Archives the log and new files, unless they would take what is reserved for the database. */
    void archive() {
        try {
            var space = reserve.on(folder.root(), sources.database());
            space.require(folder.root());
            archive(space);
        } catch (BackupException e) {
            log.warn("The write-ahead log was not archived: {}", e.getMessage());
            releaseLog();
        } catch (IOException e) {
            releaseLog();
            throw new UncheckedIOException("the write-ahead log could not be archived", e);
        } catch (SQLException e) {
            throw new IllegalStateException("the write-ahead log could not be archived", e);
        }
    }

    /** A log that is kept for the archive must not fill the disk either. A full backup goes on from the gap when there is room. */
    private void releaseLog() {
        if (!reserve.isHalfGone(sources.database())) {
            return;
        }
        try {
            WalStream.forget(new EmbeddedConfig(sources.database(), EmbeddedConfig.defaultCacheDir(), true));
            log.warn("The disk of the database is nearly full: its log is not kept for the archive any more");
        } catch (IOException | SQLException e) {
            log.warn("The log could not be released from the archive", e);
        }
    }

    private void archive(DiskReserve space) throws IOException, SQLException {
        try (var stream = WalArchive.open(sources)) {
            var full = newest().or(this::findUnchecked);
            if (full.isEmpty()) {
                // There is nothing to restore to; the log is kept from here on.
                return;
            }
            var instance = full.get().manifest().instance();
            var cipher = secret().cipher(instance);
            var archive = new WalArchive(folder.root(), BackupManifest.archive(instance, cipher.id()), cipher);
            archive.keepFree(space);
            if (!full.get().manifest().key().equals(cipher.id())) {
                // The log after another key follows a backup of its own.
                lacksLog = true;
                return;
            }
            if (files == null || !full.get().equals(filesAfter)) {
                var stored = new StoredFiles(archive.files(), new TransferMeter(text -> {}, 0), cipher);
                stored.keepFree(space);
                files = DataFiles.after(sources, folder.root(), stored, full.get());
                filesAfter = full.get();
            }
            if (archive.update(stream, files, full.get().manifest())) {
                archivedUntil = archive.until().orElse(null);
            } else if (!lacksLog) {
                log.warn("A part of the write-ahead log was not archived: it goes on with a full backup now");
                lacksLog = true;
            }
        }
    }

    private Optional<FullBackup> findUnchecked() {
        try {
            return find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes the logs that lead only to times before {@code bound}, of former data folders too. */
    private void removeLogs(Instant bound) throws IOException {
        if (!folder.unreadable().isEmpty()) {
            return;
        }
        for (var each : WalArchive.all(folder.root()).entrySet()) {
            var backups = folder.list().stream()
                    .filter(backup -> backup.manifest().archive().equals(each.getKey()))
                    .toList();
            if (backups.isEmpty()) {
                each.getValue().remove();
                continue;
            }
            var needed = backups.stream()
                    .filter(backup -> backup.manifest().consistent().isBefore(bound))
                    .reduce((older, newer) -> newer)
                    .orElse(backups.getFirst());
            each.getValue().removeBefore(needed.manifest());
        }
    }

    /** The time up to which the log is archived. */
    Optional<Instant> archivedUntil() {
        return Optional.ofNullable(archivedUntil);
    }

    void stop() {
        stopping = true;
    }
}
