package io.hiroba.backup;

import io.hiroba.backup.FeatureManifest.Table;
import io.hiroba.platform.ProgramVersion;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.i18n.Text;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/**
 * Makes and restores logical backups of one feature: the rows of its schema at one moment, of the embedded database or of the operator's
 * own, a folder such as {@code 20261118T000000Z-saga} each (ADR 129).
 */
final class FeatureBackup {

    private static final String PLATFORM = "platform";
    private static final String FOREIGN_KEY = "23503";
    private static final String TABLES = "tables/";
    private static final String ROWS = ".copy";

    private final Connection connection;
    private final BackupSecret secret;
    private final Consumer<Text> progress;

    /** @param connection of the owner of the schemas */
    FeatureBackup(Connection connection, BackupSecret secret, Consumer<Text> progress) {
        this.connection = connection;
        this.secret = secret;
        this.progress = progress;
    }

    private static FeatureDataStore store(Connection connection, String feature) throws SQLException {
        var store = new FeatureDataStore(connection, feature);
        var known = store.features();
        if (!known.contains(feature)) {
            throw new BackupException(
                    Text.of("backup.problem.feature", "feature", feature, "features", String.join(", ", known)));
        }
        return store;
    }

    /** Writes a backup into a folder of backups; the answer is its own folder. */
    Path write(String feature, String instance, BackupFolder folder) throws IOException, SQLException {
        var store = store(connection, feature);
        try (var _ = folder.lock()) {
            store.begin(true);
            var taken = store.now();
            var partial = folder.beginFeature(feature, taken);
            var stored = new StoredFiles(partial, new TransferMeter(progress, 0), secret.cipher(instance));
            var tables = new ArrayList<Table>();
            for (var table : store.tables()) {
                progress.accept(Text.of("backup.feature-table", "table", feature + "." + table.name()));
                try (var rows = store.read(table)) {
                    stored.compress(TABLES + table.name() + ROWS, rows);
                }
                tables.add(new Table(table.name(), table.columns(), store.count(table)));
            }
            var manifest = new FeatureManifest(
                    FeatureManifest.FORMAT,
                    ProgramVersion.CURRENT,
                    instance,
                    feature,
                    store.migration(),
                    taken,
                    tables,
                    store.sequences(),
                    stored.cipher().id());
            store.commit();
            try (var json = new ByteArrayInputStream(manifest.json().getBytes(StandardCharsets.UTF_8))) {
                stored.storePlain(FeatureManifest.FILE, json, FileTime.from(taken));
            }
            stored.writeSums();
            var done = folder.complete(partial);
            progress.accept(Text.of(
                    "backup.feature-done",
                    "folder",
                    done,
                    "size",
                    SystemCheck.size(stored.bytes()),
                    "rows",
                    tables.stream().mapToLong(Table::rows).sum()));
            return done;
        }
    }

    /**
     * Removes backups of a feature that were taken before a time, but never the newest of a data folder.
     *
     * @return their number
     */
    static int removeOlder(BackupFolder folder, String feature, Instant bound) throws IOException {
        try (var _ = folder.lock()) {
            var taken = new LinkedHashMap<Path, Instant>();
            var newest = new HashMap<String, Path>();
            for (var backup : folder.features(feature)) {
                var manifest = FeatureManifest.read(backup);
                taken.put(backup, manifest.taken());
                newest.put(manifest.instance(), backup);
            }
            taken.keySet().removeAll(newest.values());
            taken.values().removeIf(time -> !time.isBefore(bound));
            for (var backup : taken.keySet()) {
                folder.remove(backup);
            }
            return taken.size();
        }
    }

    /**
     * Replaces the rows of a feature in one transaction.
     *
     * @return the number of rows
     */
    long restore(Path backup, String feature) throws IOException, SQLException {
        var manifest = FeatureManifest.read(backup);
        BackupManifest.requireKnown(backup, manifest.format() > FeatureManifest.FORMAT, manifest.program());
        if (!manifest.feature().equals(feature)) {
            throw new BackupException(Text.of("backup.problem.feature-other", "folder", backup, "feature", feature));
        }
        var cipher = secret.cipher(backup, manifest.instance(), manifest.key());
        progress.accept(Text.of("backup.checking", "folder", backup));
        StoredFiles.requireAuthentic(backup, cipher);
        var sums = StoredFiles.check(backup, new TransferMeter(progress, 0));
        var store = store(connection, feature);
        requireFit(store, manifest);
        store.begin(false);
        var meter = new TransferMeter(progress, 0);
        try {
            store.replace(manifest.tables(), table -> {
                progress.accept(Text.of("backup.feature-table", "table", feature + "." + table.name()));
                var path = TABLES + table.name() + ROWS + StoredFiles.COMPRESSED;
                if (!sums.containsKey(path)) {
                    throw StoredFiles.damaged(backup.resolve(path));
                }
                meter.add(Files.size(backup.resolve(path)));
                return open(backup, path, cipher);
            });
        } catch (SQLException e) {
            if (FOREIGN_KEY.equals(e.getSQLState())) {
                throw new BackupException(Text.of(
                        "backup.problem.feature-reference",
                        "feature",
                        feature,
                        "reason",
                        String.valueOf(e.getMessage())));
            }
            throw e;
        }
        for (var table : manifest.tables()) {
            if (store.count(table) != table.rows()) {
                throw StoredFiles.damaged(backup.resolve(TABLES + table.name() + ROWS + StoredFiles.COMPRESSED));
            }
        }
        for (var sequence : manifest.sequences().entrySet()) {
            store.advance(sequence.getKey(), sequence.getValue());
        }
        store.commit();
        return manifest.rows();
    }

    private static InputStream open(Path backup, String path, BackupCipher cipher) throws IOException {
        return new GZIPInputStream(cipher.open(path, Files.newInputStream(backup.resolve(path))));
    }

    /** Refuses a backup whose rows would not fit, and a database that is in use. */
    private static void requireFit(FeatureDataStore store, FeatureManifest manifest) throws SQLException {
        var feature = manifest.feature();
        var dependent = feature.equals(PLATFORM) ? Optional.of(PLATFORM) : store.dependent();
        if (dependent.isPresent()) {
            throw new BackupException(Text.of("backup.problem.feature-needed", "feature", feature));
        }
        var user = store.user();
        if (user.isPresent()) {
            throw new BackupException(Text.of("backup.problem.feature-in-use", "program", user.get()));
        }
        if (!store.migration().equals(manifest.migration())) {
            throw new BackupException(Text.of(
                    "backup.problem.feature-migration",
                    "feature",
                    feature,
                    "migration",
                    manifest.migration(),
                    "own",
                    store.migration()));
        }
        var there = columns(store.tables());
        var own = columns(manifest.tables());
        var tables = new TreeSet<>(there.keySet());
        tables.addAll(own.keySet());
        for (var table : tables) {
            if (!Objects.equals(there.get(table), own.get(table))) {
                throw new BackupException(Text.of("backup.problem.feature-table", "table", feature + "." + table));
            }
        }
    }

    private static Map<String, List<String>> columns(List<Table> tables) {
        return tables.stream().collect(Collectors.toMap(Table::name, Table::columns));
    }
}
