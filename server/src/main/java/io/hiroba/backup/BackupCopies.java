package io.hiroba.backup;

import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a bucket's copy of a data folder's backups and log up to date. */
final class BackupCopies implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BackupCopies.class);

    /** The time without a backup after which a data folder in the bucket is a former one. */
    private static final Duration UNUSED = Duration.ofDays(30);

    private final BackupConfig config;
    private final BackupSources sources;
    private final InstantSource clock;
    private final BackupBucket bucket;
    private final BackupFolder folder;
    private @Nullable BackupUpload upload;
    private volatile @Nullable BackupManifest newest;
    private volatile @Nullable Instant logUntil;
    private volatile boolean failed;
    private volatile boolean stopping;

    BackupCopies(BackupConfig config, BackupSources sources, InstantSource clock) {
        this.config = config;
        this.sources = sources;
        this.clock = clock;
        this.bucket = new BackupBucket(config.s3());
        this.folder = new BackupFolder(config.folderIn(sources.data()));
    }

    /** Copies what is new. */
    void run() {
        try {
            var instance = BackupWriter.instance(sources.data());
            if (upload == null || !upload.instance().equals(instance)) {
                upload = new BackupUpload(
                        bucket, folder, instance, this::tell, config.limit().bytes());
            }
            run(upload, config.s3().keep());
            failed = false;
        } catch (BackupException e) {
            failed = true;
            log.warn("The backups were not copied to {}: {}", bucket.url(), e.getMessage());
        } catch (IOException e) {
            failed = true;
            throw new UncheckedIOException("the backups could not be copied to " + bucket.url(), e);
        }
    }

    private void run(BackupUpload copies, Duration keep) throws IOException {
        var since = clock.instant().minus(keep);
        try (var _ = folder.uploadLock()) {
            boolean isNew = copies.copyBackups(since) > 0 || newest == null;
            var own = folder.list(copies.instance()).stream()
                    .map(backup -> backup.manifest().archive())
                    .reduce((older, newer) -> newer);
            if (own.isPresent()) {
                logUntil = copies.copyLog(own.get());
            }
            if (isNew) {
                var unused = clock.instant().minus(UNUSED);
                copies.removeAllBackups(since, unused);
                copies.removeAllLogs(clock.instant().minus(config.keepWal()), unused);
                newest = copies.manifests().values().stream()
                        .max(Comparator.comparing(BackupManifest::ended))
                        .orElse(null);
            }
            if (config.isStaging()) {
                copies.removeLocal();
            }
        }
    }

    private void tell(Text step) {
        if (stopping) {
            throw new BackupException(Text.of("backup.problem.stopped"));
        }
        log.info("backup: {}", step);
    }

    /** The newest full backup in the bucket. */
    Optional<BackupManifest> newest() {
        return Optional.ofNullable(newest);
    }

    /** The time up to which the log in the bucket is complete. */
    Optional<Instant> logUntil() {
        return Optional.ofNullable(logUntil);
    }

    /** Whether the newest copy is too old, or the first could not be made. */
    boolean isLate() {
        return newest().map(backup -> backup.started().plus(config.lateAfter()).isBefore(clock.instant()))
                .orElse(failed);
    }

    /** Copies once, for a command. */
    static int copyOnce(
            BackupBucket bucket,
            BackupFolder folder,
            BackupSources sources,
            boolean isStaging,
            Optional<Instant> keepSince,
            Consumer<Text> progress)
            throws IOException {
        var copies = new BackupUpload(bucket, folder, BackupWriter.instance(sources.data()), progress, 0);
        try (var _ = folder.uploadLock()) {
            copies.copyBackups(keepSince.orElse(Instant.MIN));
            var unused = InstantSource.system().instant().minus(UNUSED);
            int removed = keepSince.isPresent() ? copies.removeAllBackups(keepSince.get(), unused) : 0;
            if (isStaging) {
                copies.removeLocal();
            }
            return removed;
        }
    }

    void stop() {
        stopping = true;
    }

    @Override
    public void close() {
        bucket.close();
    }
}
