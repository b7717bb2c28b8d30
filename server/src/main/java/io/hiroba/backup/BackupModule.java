package io.hiroba.backup;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.WalStream;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.SystemCheck.Group;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.WorkLoop;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The module of backups that the server makes by itself. */
public final class BackupModule implements FeatureModule {

    private static final Logger log = LoggerFactory.getLogger(BackupModule.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final Duration LATE = Duration.ofHours(26);
    private static final Duration LATE_LOG = Duration.ofMinutes(10);

    private final BackupConfig config;
    private final BackupSources sources;
    private final InstantSource clock;
    private final MeterRegistry meters;
    private final BackupSchedule schedule;

    public BackupModule(BackupConfig config, BackupSources sources, InstantSource clock, MeterRegistry meters) {
        this.config = config;
        this.sources = sources;
        this.clock = clock;
        this.meters = meters;
        this.schedule = new BackupSchedule(config, sources, clock);
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
        Gauge.builder(
                        "hiroba.backup.age",
                        this,
                        module -> module.newest()
                                .map(backup -> (double) age(backup).toSeconds())
                                .orElse(Double.NaN))
                .description("Time since the end of the newest full backup")
                .baseUnit("seconds")
                .register(meters);
        Gauge.builder(
                        "hiroba.backup.size",
                        this,
                        module -> module.newest()
                                .map(backup -> (double) backup.manifest().bytes())
                                .orElse(Double.NaN))
                .description("Size of the newest full backup")
                .baseUnit("bytes")
                .register(meters);
        resources.add(WorkLoop.every(INTERVAL, "backup schedule", schedule::runIfDue));
        if (config.wal()) {
            resources.add(WorkLoop.every(INTERVAL, "log archive", schedule::archive));
        }
        resources.add(schedule::stop);
    }

    /** A log that nobody archives would be kept for nobody. */
    private void forgetLog() {
        try {
            WalStream.forget(new EmbeddedConfig(sources.database(), EmbeddedConfig.defaultCacheDir(), true));
        } catch (IOException | SQLException e) {
            log.warn("The slot of the log's archive could not be removed", e);
        }
    }

    private Optional<FullBackup> newest() {
        try {
            return schedule.newest();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Duration age(FullBackup backup) {
        return Duration.between(backup.manifest().ended(), clock.instant());
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
        var newest = newest();
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
                        newest.filter(backup -> age(backup).compareTo(LATE) < 0).isEmpty(),
                        Text.of("backup.check-advice", "folder", config.folder())));
        if (config.wal()) {
            lines.add(logLine());
        }
        return lines;
    }

    private SystemCheck logLine() {
        try {
            var behind = schedule.archivedUntil().map(until -> Duration.between(until, clock.instant()));
            return line(
                            "log-archive",
                            Text.of("backup.check-log"),
                            behind.<Text>map(time -> Text.of("system.behind", "time", SystemCheck.duration(time)))
                                    .orElseGet(() -> Text.of("backup.check-missing")))
                    .adviseIf(
                            behind.filter(time -> time.compareTo(LATE_LOG) < 0).isEmpty(),
                            Text.of("backup.check-advice", "folder", config.folder()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SystemCheck line(String code, Text label, Text value) {
        return SystemCheck.of(Group.WORK, code, label, value);
    }
}
