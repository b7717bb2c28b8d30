package io.hiroba.backup;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.backup.BackupVerification.Verified;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.config.Durations;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** The commands {@code backup} and {@code restore}. */
public final class BackupCommand {

    private static final int FAILED = 1;
    private static final int MISUSED = 2;
    private static final Set<String> BACKUP_OPTIONS =
            Set.of("to", "from", "limit", "keep", "key-file", "feature", "restore", "instance");
    private static final Set<String> RESTORE_OPTIONS = Set.of("from", "time", "instance", "key-file", "feature");

    private final BackupSources sources;
    private final BackupConfig config;
    private final DatabaseConfig database;
    private final Language language;
    private final PrintStream out;
    private final PrintStream err;

    public BackupCommand(
            BackupSources sources,
            BackupConfig config,
            DatabaseConfig database,
            Language language,
            PrintStream out,
            PrintStream err) {
        this.sources = sources;
        this.config = config;
        this.database = database;
        this.language = language;
        this.out = out;
        this.err = err;
    }

    /** Runs {@code backup}; the answer is the exit status. */
    public int backup(List<String> args) {
        return run(args, BACKUP_OPTIONS, "to", arguments -> {
            if (arguments.has(List.of("list"), "from")) {
                list(arguments);
                return true;
            }
            if (arguments.has(List.of("verify"), "from", "restore", "instance", "key-file")) {
                verify(arguments);
                return true;
            }
            if (arguments.has(List.of(), "feature", "to", "keep", "key-file")
                    && arguments.options().containsKey("to")) {
                feature(arguments).write();
                return true;
            }
            if (arguments.has(List.of(), "to", "limit", "keep", "key-file")) {
                write(arguments);
                return true;
            }
            return false;
        });
    }

    /** Runs {@code restore}; the answer is the exit status. */
    public int restore(List<String> args) {
        return run(args, RESTORE_OPTIONS, "from", arguments -> {
            if (arguments.has(List.of(), "feature", "from", "instance", "key-file")
                    && arguments.options().containsKey("from")) {
                feature(arguments).restore();
                return true;
            }
            if (!arguments.has(List.of(), "from", "time", "instance", "key-file")) {
                return false;
            }
            restore(arguments);
            say(Text.of("backup.restored", "folder", sources.data()));
            if (Files.exists(sources.data().resolve("hiroba.yaml"))) {
                say(Text.of(
                        "backup.restored-configuration", "file", sources.data().resolve("hiroba.yaml")));
            }
            return true;
        });
    }

    /** A command; false if it is misused. */
    private interface Command {
        boolean run(BackupArguments arguments) throws IOException, SQLException;
    }

    /** @param place the option with the place that the command itself needs */
    private int run(List<String> args, Set<String> options, String place, Command command) {
        try {
            var arguments = BackupArguments.parse(args, sources.backups());
            var mistake = arguments.mistake(options);
            if (mistake.isPresent()) {
                err.println(mistake.get().in(language));
                return MISUSED;
            }
            if (command.run(arguments)) {
                return 0;
            }
            err.println(arguments.missing(place).orElse(Text.of("backup.usage")).in(language));
            return MISUSED;
        } catch (BackupException e) {
            err.println(e.sentence().in(language));
            return FAILED;
        } catch (IOException | SQLException e) {
            err.println(FileFailure.sentence(e).in(language));
            return FAILED;
        } catch (IllegalArgumentException e) {
            err.println(Text.of("backup.bad-option", "option", String.valueOf(e.getMessage()))
                    .in(language));
            return MISUSED;
        }
    }

    private void write(BackupArguments arguments) throws IOException, SQLException {
        BackupModule.requireRestored(sources.data());
        long bytesPerSecond = arguments
                .value("limit", limit -> ByteSize.parse(limit.replaceFirst("/s$", "")))
                .map(ByteSize::bytes)
                .orElse(0L);
        var keep = arguments.value("keep", Durations::parse);
        var folder =
                new BackupFolder(arguments.isBucket("to") ? config.folderIn(sources.data()) : arguments.folder("to"));
        var writer = new BackupWriter(sources, folder, secret(arguments), InstantSource.system(), this::step);
        writer.requireDatabase();
        if (!arguments.isBucket("to")) {
            writeThen(() -> writer.write(bytesPerSecond), () -> {
                if (keep.isPresent()) {
                    say(Text.of("backup.removed", "count", writer.removeOlder(keep.get())));
                }
            });
            return;
        }
        // Before the backup is made: an address that is wrong is told at once.
        try (var bucket = bucket(arguments.options().getOrDefault("to", ""))) {
            bucket.folders("");
            writeThen(() -> writer.write(bytesPerSecond), () -> {
                int removed = BackupCopies.copyOnce(
                        bucket,
                        folder,
                        sources,
                        config.isStaging(),
                        keep.map(age -> InstantSource.system().instant().minus(age)),
                        this::step);
                keep.ifPresent(age -> say(Text.of("backup.removed", "count", removed)));
            });
        }
    }

    /** The making of a backup, or the work after it. */
    interface Work {
        void run() throws IOException, SQLException;
    }

    /** Also after a failure, which may be for want of the room that is made then. */
    static void writeThen(Work write, Work after) throws IOException, SQLException {
        try {
            write.run();
        } catch (BackupException | IOException | SQLException e) {
            try {
                after.run();
            } catch (BackupException | IOException | SQLException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
        after.run();
    }

    private BackupBucket bucket(String url) {
        return new BackupBucket(config.s3().at(url));
    }

    private FeatureCommand feature(BackupArguments arguments) {
        return new FeatureCommand(sources, config, database, arguments, secret(arguments), this::step, this::say);
    }

    private void restore(BackupArguments arguments) throws IOException, SQLException {
        var run = new RestoreRun(secret(arguments), this::step);
        var time = arguments.time();
        var instance = arguments.value("instance", BackupCommand::instance);
        if (!arguments.isBucket("from")) {
            run.restore(arguments.folder("from"), time, instance, sources.data());
            return;
        }
        var place = arguments.place("from");
        RestoreRun.requireEmpty(sources.data());
        try (var bucket = bucket(place.url())) {
            // Before anything is made.
            var look = new BackupDownload(bucket, Files.createTempDirectory("hiroba-backups"), this::step);
            try {
                look.choose(place.backup(), time, instance);
            } finally {
                look.remove();
            }
            run.restore(
                    staging -> new BackupDownload(bucket, staging, this::step).fetch(place.backup(), time, instance),
                    place.backup().isEmpty() || time.isPresent(),
                    time,
                    sources.data(),
                    postgres -> {});
        }
    }

    /** The beginning of the name of a data folder, as {@code list} shows it. */
    static String instance(String name) {
        if (!name.matches("[0-9a-f-]{4,36}")) {
            throw new IllegalArgumentException(name);
        }
        return name;
    }

    private BackupSecret secret(BackupArguments arguments) {
        return arguments.options().containsKey("key-file")
                ? BackupSecret.of(arguments.folder("key-file"))
                : config.secret();
    }

    private void verify(BackupArguments arguments) throws IOException, SQLException {
        var verification = new BackupVerification(secret(arguments), InstantSource.system(), this::step);
        var instance = arguments.value("instance", BackupCommand::instance);
        FullBackup backup;
        Verified verified;
        if (arguments.isBucket("from")) {
            var place = arguments.place("from");
            try (var bucket = bucket(place.url())) {
                var download = new BackupDownload(bucket, downloads(), this::step);
                download.keepFree(DiskReserve.OF_DATABASE);
                backup = download.fetchAlone(place.backup(), instance, BackupWriter.knownInstance(sources.data()));
                verified = verification.verify(backup);
                new BackupUpload(
                                bucket,
                                new BackupFolder(downloads()),
                                backup.manifest().instance(),
                                this::step,
                                0)
                        .writeVerified(backup);
                download.remove();
            }
        } else {
            backup =
                    BackupChoice.newest(arguments.folder("from"), instance, BackupWriter.knownInstance(sources.data()));
            verified = verification.verify(backup);
        }
        say(Text.of("backup.verified", "name", backup.name(), "rows", verified.count()));
    }

    private Path downloads() {
        return config.downloadsIn(sources.data());
    }

    private void list(BackupArguments arguments) throws IOException {
        if (!arguments.isBucket("from")) {
            list(
                    new BackupFolder(arguments.folder("from")),
                    arguments.folder("from").toString());
            return;
        }
        var place = arguments.place("from");
        try (var bucket = bucket(place.url())) {
            var download = new BackupDownload(bucket, Files.createTempDirectory("hiroba-backups"), this::step);
            var folders = download.describe();
            if (folders.isEmpty()) {
                say(Text.of("backup.problem.none", "folder", place.url()));
            }
            for (var folder : folders) {
                list(folder, place.url());
            }
            download.remove();
        }
    }

    private void list(BackupFolder folder, String place) throws IOException {
        var all = folder.list();
        var features = folder.features();
        if (all.isEmpty() && features.isEmpty()) {
            say(Text.of("backup.problem.none", "folder", place));
        }
        all.forEach(backup -> say(line(backup)));
        for (var feature : features) {
            say(FeatureCommand.line(feature));
        }
        folder.unreadable()
                .forEach(damaged ->
                        say(Text.of("backup.problem.damaged", "file", damaged.resolve(BackupManifest.FILE))));
    }

    private static Text line(FullBackup backup) {
        var manifest = backup.manifest();
        var verified = BackupVerification.of(backup);
        return Text.of(
                "backup.line",
                "name",
                backup.name(),
                "time",
                manifest.ended(),
                "size",
                SystemCheck.size(manifest.bytes()),
                "version",
                manifest.program(),
                "instance",
                BackupChoice.shortName(manifest.instance()),
                "verified",
                verified == null
                        ? Text.of("backup.line-unverified")
                        : Text.of("backup.line-verified", "time", verified.at()));
    }

    private void step(Text what) {
        out.println("· " + what.in(language));
    }

    private void say(Text what) {
        out.println(what.in(language));
    }
}
