package io.hiroba.backup;

import io.hiroba.platform.config.Durations;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The commands {@code backup --feature} and {@code restore --feature}, with a folder or a bucket. */
final class FeatureCommand {

    private final BackupSources sources;
    private final BackupConfig config;
    private final DatabaseConfig database;
    private final BackupArguments arguments;
    private final BackupSecret secret;
    private final Consumer<Text> step;
    private final Consumer<Text> say;

    FeatureCommand(
            BackupSources sources,
            BackupConfig config,
            DatabaseConfig database,
            BackupArguments arguments,
            BackupSecret secret,
            Consumer<Text> step,
            Consumer<Text> say) {
        this.sources = sources;
        this.config = config;
        this.database = database;
        this.arguments = arguments;
        this.secret = secret;
        this.step = step;
        this.say = say;
    }

    private String feature() {
        return arguments.options().getOrDefault("feature", "");
    }

    void write() throws IOException, SQLException {
        var bound = arguments
                .value("keep", Durations::parse)
                .map(age -> InstantSource.system().instant().minus(age));
        if (!arguments.isBucket("to")) {
            var folder = new BackupFolder(arguments.folder("to"));
            BackupCommand.writeThen(() -> write(folder), () -> {
                if (bound.isPresent()) {
                    tellRemoved(FeatureBackup.removeOlder(folder, feature(), bound.get()));
                }
            });
            return;
        }
        var folder = new BackupFolder(config.folderIn(sources.data()));
        try (var bucket = new BackupBucket(config.s3().at(arguments.options().getOrDefault("to", "")))) {
            // Before the backup is made: an address that is wrong is told at once.
            bucket.folders("");
            var copies = new FeatureCopies(bucket, step);
            BackupCommand.writeThen(() -> copy(folder, copies), () -> {
                if (bound.isPresent()) {
                    tellRemoved(copies.removeOlder(BackupWriter.instance(sources.data()), feature(), bound.get()));
                }
            });
        }
    }

    private void copy(BackupFolder folder, FeatureCopies copies) throws IOException, SQLException {
        var backup = write(folder);
        try {
            copies.upload(backup);
        } finally {
            if (config.isStaging()) {
                // Nobody would send it later.
                folder.remove(backup);
            }
        }
    }

    private void tellRemoved(int count) {
        say.accept(Text.of("backup.removed", "count", count));
    }

    private Path write(BackupFolder folder) throws IOException, SQLException {
        try (var owner = OwnerConnection.open(sources, database)) {
            return new FeatureBackup(owner.connection(), secret, step)
                    .write(feature(), BackupWriter.instance(sources.data()), folder);
        }
    }

    void restore() throws IOException, SQLException {
        var named = arguments.value("instance", BackupCommand::instance);
        var meant = named.isPresent() ? named : BackupWriter.knownInstance(sources.data());
        if (!arguments.isBucket("from")) {
            restore(choose(arguments.folder("from"), meant));
            return;
        }
        var place = arguments.place("from");
        try (var bucket = new BackupBucket(config.s3().at(place.url()))) {
            var download = new BackupDownload(bucket, config.downloadsIn(sources.data()), step);
            restore(new FeatureCopies(bucket, step).fetch(feature(), place.backup(), meant, download));
            download.remove();
        }
    }

    /**
     * The newest backup of the feature, or the one that is named.
     *
     * @param meant the beginning of the name of the data folder whose backups are meant: the rows of another Hiroba would replace all here
     */
    private Path choose(Path from, Optional<String> meant) throws IOException {
        var all = Files.exists(from.resolve(FeatureManifest.FILE))
                ? List.of(from)
                : new BackupFolder(from).features(feature());
        var others = new TreeSet<String>();
        for (var backup : all.reversed()) {
            var instance = FeatureManifest.read(backup).instance();
            if (meant.filter(instance::startsWith).isPresent()) {
                return backup;
            }
            others.add(instance);
        }
        throw none(from.toString(), feature(), others);
    }

    /** The sentence for a place without a backup that is meant. */
    static BackupException none(String place, String feature, Collection<String> others) {
        if (others.isEmpty()) {
            return BackupChoice.none(place, Optional.empty());
        }
        return new BackupException(Text.of(
                "backup.problem.feature-instance",
                "folder",
                place,
                "feature",
                feature,
                "instances",
                others.stream().map(BackupChoice::shortName).collect(Collectors.joining(", "))));
    }

    private void restore(Path backup) throws IOException, SQLException {
        try (var owner = OwnerConnection.open(sources, database)) {
            long rows = new FeatureBackup(owner.connection(), secret, step).restore(backup, feature());
            say.accept(Text.of("backup.feature-restored", "feature", feature(), "rows", rows));
        }
    }

    static Text line(Path backup) throws IOException {
        try {
            var manifest = FeatureManifest.read(backup);
            return Text.of(
                    "backup.feature-line",
                    "name",
                    backup.getFileName(),
                    "time",
                    manifest.taken(),
                    "rows",
                    manifest.rows(),
                    "version",
                    manifest.program(),
                    "instance",
                    BackupChoice.shortName(manifest.instance()));
        } catch (BackupException e) {
            return e.sentence();
        }
    }
}
