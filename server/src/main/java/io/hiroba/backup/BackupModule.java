package io.hiroba.backup;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.backup.BackupTroubles.Trouble;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.WalStream;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.StartException;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.WorkLoop;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The module of backups that the server makes by itself. */
public final class BackupModule implements FeatureModule {

    private static final Logger log = LoggerFactory.getLogger(BackupModule.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final Duration VERIFY_INTERVAL = Duration.ofHours(1);

    private final BackupConfig config;
    private final BackupSources sources;
    private final InstantSource clock;
    private final MeterRegistry meters;
    private final BackupTroubles troubles;
    private final BackupSchedule schedule;
    private final Optional<BackupCopies> copies;

    public BackupModule(
            BackupConfig config,
            BackupSources sources,
            Db db,
            EventLog events,
            InstantSource clock,
            MeterRegistry meters) {
        this.config = config;
        this.sources = sources;
        this.clock = clock;
        this.meters = meters;
        this.troubles = new BackupTroubles(db, events, clock);
        this.schedule = new BackupSchedule(config, sources, clock, troubles);
        this.copies = isOn() && config.s3().isConfigured()
                ? Optional.of(new BackupCopies(config, sources, clock))
                : Optional.empty();
    }

    private boolean isOn() {
        return config.isConfigured() && !sources.hasOwnDatabase();
    }

    @Override
    public void start(ResourceStack resources) {
        if (!sources.hasOwnDatabase() && !(config.isConfigured() && config.wal())) {
            forgetLog();
        }
        if (!isOn()) {
            return;
        }
        gauge(
                "hiroba.backup.age",
                "Time since the end of the newest full backup",
                "seconds",
                () -> schedule.newest().map(this::age).map(Duration::toSeconds));
        gauge(
                "hiroba.backup.size",
                "Size of the newest full backup",
                "bytes",
                () -> schedule.newest().map(backup -> backup.manifest().bytes()));
        if (config.verifyEvery().isPositive()) {
            gauge(
                    "hiroba.backup.verified.age",
                    "Time since a backup was restored on trial",
                    "seconds",
                    () -> schedule.verifiedAt().map(this::since).map(Duration::toSeconds));
        }
    }

    /** Starts what makes, archives and copies backups; to be called when the node serves, which a first backup would slow down. */
    public void startSchedule(ResourceStack resources) {
        if (!isOn()) {
            return;
        }
        resources.add(WorkLoop.every(INTERVAL, "backup schedule", schedule::runIfDue));
        resources.add(WorkLoop.every(INTERVAL, "backup watch", this::watch));
        if (config.verifyEvery().isPositive()) {
            resources.add(WorkLoop.every(VERIFY_INTERVAL, "backup verification", schedule::verifyIfDue));
        }
        if (config.wal()) {
            gauge(
                    "hiroba.backup.log.lag",
                    "Time since the end of the archived log",
                    "seconds",
                    () -> schedule.archivedUntil().map(this::since).map(Duration::toSeconds));
            resources.add(WorkLoop.every(INTERVAL, "log archive", schedule::archive));
        }
        copies.ifPresent(bucket -> start(bucket, resources));
        resources.add(schedule::stop);
    }

    private void start(BackupCopies bucket, ResourceStack resources) {
        gauge(
                "hiroba.backup.copy.age",
                "Time since the end of the newest full backup in the bucket",
                "seconds",
                () -> bucket.newest().map(copy -> since(copy.ended())).map(Duration::toSeconds));
        gauge(
                "hiroba.backup.copy.log.lag",
                "Time since the end of the log in the bucket",
                "seconds",
                () -> bucket.logUntil().map(this::since).map(Duration::toSeconds));
        resources.add(bucket);
        resources.add(WorkLoop.every(INTERVAL, "backup copies", bucket::run));
        resources.add(bucket::stop);
    }

    private void watch() {
        schedule.watch(copies.filter(BackupCopies::isLate).isPresent());
    }

    private void gauge(String name, String description, String unit, Supplier<Optional<Long>> value) {
        Gauge.builder(name, () -> value.get().map(Long::doubleValue).orElse(Double.NaN))
                .description(description)
                .baseUnit(unit)
                .register(meters);
    }

    /** A log that nobody archives would be kept for nobody. */
    private void forgetLog() {
        try {
            WalStream.forget(new EmbeddedConfig(sources.database(), EmbeddedConfig.defaultCacheDir(), true));
        } catch (IOException | SQLException e) {
            log.warn("The slot of the log's archive could not be removed", e);
        }
    }

    private Duration age(FullBackup backup) {
        return since(backup.manifest().ended());
    }

    private Duration since(Instant time) {
        return Duration.between(time, clock.instant());
    }

    @Override
    public List<SystemCheck> systemChecks() {
        if (!isOn()) {
            return BackupChecks.none(sources);
        }
        var checks = new BackupChecks(config, sources, clock);
        var lines = new ArrayList<SystemCheck>();
        lines.add(checks.newest(schedule.newest(), schedule.isLate()));
        if (config.wal()) {
            lines.add(checks.log(schedule.archivedUntil()));
        }
        copies.ifPresent(bucket -> lines.add(checks.copy(bucket.newest(), bucket.isLate())));
        if (config.verifyEvery().isPositive()) {
            lines.add(checks.verified(
                    schedule.verifiedAt(), schedule.firstBackup(), troubles.isThere(Trouble.UNVERIFIED)));
        }
        return lines;
    }

    /**
     * Refuses a data folder that an interrupted restoration has left, which is not all there and is deleted when that is repeated.
     *
     * @throws StartException with what to do
     */
    public static void requireRestored(Path data) {
        if (RestoreRun.isUnfinished(data)) {
            throw new StartException(Text.of("backup.problem.unfinished", "folder", data));
        }
    }

    /** The state of backups as it is found in their folder, for who looks without a node. */
    public static List<SystemCheck> inspect(BackupConfig config, BackupSources sources, InstantSource clock)
            throws IOException {
        return config.isConfigured() && !sources.hasOwnDatabase()
                ? new BackupChecks(config, sources, clock).inspect()
                : BackupChecks.none(sources);
    }
}
