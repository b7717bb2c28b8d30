package io.hiroba.backup;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.backup.BackupVerification.Verified;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.SystemCheck.Group;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The lines about backups in the state of the system. */
final class BackupChecks {

    private static final Duration VERIFY_GRACE = Duration.ofDays(3);
    private static final Duration LATE_LOG = Duration.ofMinutes(10);

    private final BackupConfig config;
    private final BackupSources sources;
    private final InstantSource clock;

    BackupChecks(BackupConfig config, BackupSources sources, InstantSource clock) {
        this.config = config;
        this.sources = sources;
        this.clock = clock;
    }

    /** The lines where the server makes none. */
    static List<SystemCheck> none(BackupSources sources) {
        return sources.hasOwnDatabase()
                ? List.of()
                : List.of(line("backup", Text.of("backup.check"), Text.of("backup.check-none")));
    }

    /** The lines of what is in the folder. */
    List<SystemCheck> inspect() throws IOException {
        var folder = new BackupFolder(config.folderIn(sources.data()));
        // A data folder that has no name yet has no backup, and is not given one here.
        List<FullBackup> own = Files.exists(sources.data().resolve(BackupWriter.INSTANCE_FILE))
                ? folder.list(BackupWriter.instance(sources.data()))
                : List.of();
        var newest = own.stream().reduce((older, newer) -> newer);
        var lines = new ArrayList<SystemCheck>();
        lines.add(newest(
                newest,
                newest.filter(backup -> backup.manifest()
                                .started()
                                .plus(config.lateAfter())
                                .isBefore(clock.instant()))
                        .isPresent()));
        if (config.wal()) {
            lines.add(log(
                    newest.isEmpty()
                            ? Optional.empty()
                            : new WalArchive(
                                            folder.root(),
                                            newest.get().manifest().archive(),
                                            BackupCipher.NONE)
                                    .until()));
        }
        if (config.verifyEvery().isPositive()) {
            lines.add(verified(
                    own.stream()
                            .map(BackupVerification::of)
                            .filter(Objects::nonNull)
                            .map(Verified::at)
                            .max(Comparator.naturalOrder()),
                    own.stream().findFirst().map(backup -> backup.manifest().ended()),
                    false));
        }
        return lines;
    }

    private Duration since(Instant time) {
        return Duration.between(time, clock.instant());
    }

    private Text age(Optional<BackupManifest> newest) {
        return newest.<Text>map(backup -> Text.of(
                        "backup.check-newest",
                        "time",
                        SystemCheck.duration(since(backup.ended())),
                        "size",
                        SystemCheck.size(backup.bytes())))
                .orElseGet(() -> Text.of("backup.check-missing"));
    }

    private Text advice() {
        return Text.of("backup.check-advice", "folder", config.folderIn(sources.data()));
    }

    SystemCheck newest(Optional<FullBackup> newest, boolean isLate) {
        return line("backup", Text.of("backup.check"), age(newest.map(FullBackup::manifest)))
                .adviseIf(newest.isEmpty() || isLate, advice());
    }

    SystemCheck copy(Optional<BackupManifest> newest, boolean isLate) {
        var place = config.s3().url();
        return line("backup-copy", Text.of("backup.check-copy", "bucket", place), age(newest))
                .adviseIf(newest.isEmpty() || isLate, Text.of("backup.check-copy-advice", "bucket", place));
    }

    SystemCheck log(Optional<Instant> until) {
        var behind = until.map(this::since);
        return line(
                        "log-archive",
                        Text.of("backup.check-log"),
                        behind.<Text>map(time -> Text.of("system.behind", "time", SystemCheck.duration(time)))
                                .orElseGet(() -> Text.of("backup.check-missing")))
                .adviseIf(behind.filter(time -> time.compareTo(LATE_LOG) < 0).isEmpty(), advice());
    }

    /** @param first the time of the first backup: none was ever restored on trial if there is no last time */
    SystemCheck verified(Optional<Instant> last, Optional<Instant> first, boolean hasFailed) {
        var age = last.map(this::since);
        var allowed = last.isPresent() ? config.verifyEvery() : BackupSchedule.FIRST_VERIFICATION;
        boolean isLate = last.or(() -> first)
                .map(this::since)
                .filter(time -> time.compareTo(allowed.plus(VERIFY_GRACE)) > 0)
                .isPresent();
        return line(
                        "backup-verified",
                        Text.of("backup.check-verified"),
                        age.<Text>map(time -> Text.of("backup.check-verified-at", "time", SystemCheck.duration(time)))
                                .orElseGet(() -> Text.of("backup.check-missing")))
                .adviseIf(isLate || hasFailed, Text.of("backup.check-verified-advice"));
    }

    private static SystemCheck line(String code, Text label, Text value) {
        return SystemCheck.of(Group.WORK, code, label, value);
    }
}
