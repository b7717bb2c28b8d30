package io.hiroba.backup;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.backup.BackupTroubles.Trouble;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.WalStream;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.SystemCheck.Group;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.WorkLoop;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
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
    private static final Duration VERIFY_GRACE = Duration.ofDays(3);
    private static final Duration LATE_LOG = Duration.ofMinutes(10);

    private final BackupConfig config;
    private final BackupSources sources;
    private final InstantSource clock;
    private final MeterRegistry meters;
    private final BackupTroubles troubles;
    private final BackupSchedule schedule;

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
        gauge(
                "hiroba.backup.verified.age",
                "Time since a backup was restored on trial",
                "seconds",
                () -> schedule.verifiedAt().map(this::since).map(Duration::toSeconds));
        resources.add(WorkLoop.every(INTERVAL, "backup schedule", schedule::runIfDue));
        resources.add(WorkLoop.every(INTERVAL, "backup watch", schedule::watch));
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
        resources.add(schedule::stop);
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
        if (sources.hasOwnDatabase()) {
            return List.of();
        }
        if (!isOn()) {
            return List.of(line("backup", Text.of("backup.check"), Text.of("backup.check-none")));
        }
        var lines = new ArrayList<SystemCheck>();
        var newest = schedule.newest();
        lines.add(line(
                        "backup",
                        Text.of("backup.check"),
                        newest.<Text>map(backup -> Text.of(
                                        "backup.check-newest",
                                        "time",
                                        SystemCheck.duration(age(backup)),
                                        "size",
                                        SystemCheck.size(backup.manifest().bytes())))
                                .orElseGet(() -> Text.of("backup.check-missing")))
                .adviseIf(
                        newest.isEmpty() || schedule.isLate(),
                        Text.of("backup.check-advice", "folder", config.folder())));
        if (config.wal()) {
            lines.add(logLine());
        }
        if (config.verifyEvery().isPositive()) {
            lines.add(verifiedLine());
        }
        return lines;
    }

    private SystemCheck verifiedLine() {
        var age = schedule.verifiedAt().map(this::since);
        boolean isLate = age.filter(time -> time.compareTo(config.verifyEvery().plus(VERIFY_GRACE)) > 0)
                .isPresent();
        return line(
                        "backup-verified",
                        Text.of("backup.check-verified"),
                        age.<Text>map(time -> Text.of("backup.check-verified-at", "time", SystemCheck.duration(time)))
                                .orElseGet(() -> Text.of("backup.check-missing")))
                .adviseIf(isLate || troubles.isThere(Trouble.UNVERIFIED), Text.of("backup.check-verified-advice"));
    }

    private SystemCheck logLine() {
        var behind = schedule.archivedUntil().map(this::since);
        return line(
                        "log-archive",
                        Text.of("backup.check-log"),
                        behind.<Text>map(time -> Text.of("system.behind", "time", SystemCheck.duration(time)))
                                .orElseGet(() -> Text.of("backup.check-missing")))
                .adviseIf(
                        behind.filter(time -> time.compareTo(LATE_LOG) < 0).isEmpty(),
                        Text.of("backup.check-advice", "folder", config.folder()));
    }

    private static SystemCheck line(String code, Text label, Text value) {
        return SystemCheck.of(Group.WORK, code, label, value);
    }
}
