package io.hiroba.backup;

import io.hiroba.backup.ClusterStore.RowTable;
import io.hiroba.backup.DefinitionStore.Kind;
import io.hiroba.embedded.MajorUpgrade.Server;
import io.hiroba.embedded.MajorUpgrade.Transfer;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Migrations;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Copies a whole database from a server to an empty one of another version: the same migrations make what migrations make, the rest is
 * defined as it was, all rows of one moment are copied, and definitions, counts and sums are compared at the end (ADR 139).
 */
final class ClusterTransfer implements Transfer {

    /** What is made by statements that are the objects' own lines. */
    private static final Set<Kind> MADE_BEFORE = EnumSet.of(Kind.SCHEMA, Kind.EXTENSION);

    private static final int SHOWN = 3;

    private final List<String> features;
    private final Consumer<Text> progress;
    private final int threads;

    /** @param features the schemas that are migrated, in their order */
    ClusterTransfer(List<String> features, Consumer<Text> progress) {
        this.features = List.copyOf(features);
        this.progress = progress;
        this.threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);
    }

    @Override
    public void run(Server from, Server to) throws IOException, SQLException {
        try (var old = new ClusterStore(from.connect());
                var next = new ClusterStore(to.connect())) {
            var others = old.otherDatabases();
            if (!others.isEmpty()) {
                throw new BackupException(
                        Text.of("backup.problem.other-database", "database", String.join(", ", others)));
            }
            progress.accept(Text.of("backup.upgrade-defining"));
            migrate(old, to);
            define(old, next);
            var moment = old.beginReading();
            var tables = of(old.tables(), old.filled());
            progress.accept(Text.of("backup.upgrade-copying", "count", tables.size()));
            next.runAll(new DefinitionStore(next)
                    .indexDrops(tables.stream().map(RowTable::name).toList()));
            next.beginWriting();
            next.empty(next.filled());
            var meter = new TransferMeter(progress, 0);
            each(from, to, moment, tables, (source, target, table) -> source.copy(table, target, meter));
            next.runAll(old.sequences());
            progress.accept(Text.of("backup.upgrade-indexing"));
            var indexes = new DefinitionStore(old).all(Kind.INDEX);
            indexes.removeAll(new DefinitionStore(next).all(Kind.INDEX));
            next.runAll(List.copyOf(indexes));
            next.analyze();
            progress.accept(Text.of("backup.upgrade-comparing"));
            requireEqual(old, next, EnumSet.allOf(Kind.class));
            requireEqual(new TreeSet<>(old.sequences()), new TreeSet<>(next.sequences()));
            var either = new TreeSet<>(old.filled());
            either.addAll(next.filled());
            each(from, to, moment, of(old.tables(), either), ClusterTransfer::requireSame);
            adoptSettings(old, next);
        }
    }

    private static List<RowTable> of(List<RowTable> tables, Set<String> names) {
        return tables.stream().filter(table -> names.contains(table.name())).toList();
    }

    /** To the versions that the former database is at, so that the next start migrates it on as any other. */
    private void migrate(ClusterStore old, Server to) throws SQLException {
        var migrations = old.migrations();
        var unknown = new TreeSet<>(migrations.keySet());
        features.forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            throw new BackupException(
                    Text.of("backup.problem.unknown-feature", "features", String.join(", ", unknown)));
        }
        var config =
                DatabaseConfig.of(to.jdbcUrl(), to.owner().name(), to.owner().password());
        try (var connections = Migrations.pool(config)) {
            for (var feature : features) {
                var version = migrations.get(feature);
                if (version != null) {
                    migrate(Migrations.of(feature, config).dataSource(connections), feature, version);
                }
            }
        } catch (FlywayException e) {
            throw new BackupException(Text.of("backup.problem.failed", "reason", String.valueOf(e.getMessage())));
        }
    }

    private static void migrate(FluentConfiguration migrations, String feature, String version) {
        var flyway = migrations.target(version).load();
        flyway.migrate();
        var current = flyway.info().current();
        if (current == null || !current.getVersion().getVersion().equals(version)) {
            throw new BackupException(Text.of("backup.problem.newer-schema", "schema", feature, "version", version));
        }
    }

    private void define(ClusterStore old, ClusterStore next) throws SQLException {
        var there = new DefinitionStore(old);
        var here = new DefinitionStore(next);
        var roles = old.roles();
        roles.removeAll(next.roles());
        next.runAll(roles.stream().map(line -> line.substring(1)).toList());
        for (var kind : MADE_BEFORE) {
            var missing = there.all(kind);
            missing.removeAll(here.all(kind));
            next.runAll(List.copyOf(missing));
        }
        // A migration may have made a table that was dropped since.
        var superfluous = here.tableNames();
        superfluous.removeAll(there.tableNames());
        for (var table : superfluous) {
            next.run("DROP TABLE " + table + " CASCADE");
        }
        var missing = there.tableNames();
        missing.removeAll(here.tableNames());
        next.runAll(there.tableStatements(missing));
        var views = there.viewNames();
        var made = here.viewNames();
        var statements = there.viewStatements();
        for (int n = 0; n < views.size(); n++) {
            if (!made.contains(views.get(n))) {
                next.run(statements.get(n));
            }
        }
        var functions = there.triggerFunctions();
        functions.removeAll(here.functions());
        for (var function : functions) {
            next.runAll(there.functionStatements(function));
        }
        var triggers = there.all(Kind.TRIGGER);
        triggers.removeAll(here.all(Kind.TRIGGER));
        for (var trigger : triggers) {
            // The last sign tells whether it is enabled, which the comparison sees to.
            next.run(trigger.substring(0, trigger.length() - 2));
        }
        // All that rights are given on must be there.
        requireEqual(old, next, EnumSet.complementOf(EnumSet.of(Kind.INDEX, Kind.RIGHT)));
        grant(there, here, next);
        grantByDefault(there, here, next);
        requireEqual(old, next, EnumSet.of(Kind.RIGHT));
    }

    private static void grant(DefinitionStore there, DefinitionStore here, ClusterStore next) throws SQLException {
        var wanted = there.all(Kind.RIGHT);
        var given = here.all(Kind.RIGHT);
        for (var right : given) {
            if (!wanted.contains(right)) {
                next.run(right.replaceFirst("^GRANT", "REVOKE")
                        .replaceFirst(" TO ", " FROM ")
                        .replaceFirst(" WITH GRANT OPTION$", ""));
            }
        }
        wanted.removeAll(given);
        next.runAll(List.copyOf(wanted));
    }

    /** One way only: more than before is what this version gives by itself. */
    private static void grantByDefault(DefinitionStore there, DefinitionStore here, ClusterStore next)
            throws SQLException {
        var missing = there.defaultRights();
        missing.removeAll(here.defaultRights());
        next.runAll(List.copyOf(missing));
        missing.removeAll(here.defaultRights());
        requireEqual(missing, new TreeSet<>());
    }

    private static void requireEqual(ClusterStore old, ClusterStore next, Set<Kind> kinds) throws SQLException {
        for (var kind : kinds) {
            if (kind == Kind.EXTENSION) {
                continue; // more than before do no harm
            }
            requireEqual(new DefinitionStore(old).all(kind), new DefinitionStore(next).all(kind));
        }
        var missing = old.roles();
        missing.removeAll(next.roles());
        requireEqual(missing, new TreeSet<>());
    }

    private static void requireEqual(SortedSet<String> there, SortedSet<String> here) {
        var different = new TreeSet<>(there);
        different.removeAll(here);
        here.removeAll(there);
        different.addAll(here);
        if (!different.isEmpty()) {
            throw new BackupException(Text.of(
                    "backup.problem.definitions",
                    "count",
                    different.size(),
                    "objects",
                    String.join(
                            " · ",
                            different.stream()
                                    .limit(SHOWN)
                                    .map(each -> each.replaceAll(" PASSWORD '[^']*'", ""))
                                    .toList())));
        }
    }

    /** Work with a table on both servers. */
    private interface TableWork {
        void run(ClusterStore source, ClusterStore target, RowTable table) throws IOException, SQLException;
    }

    /** Several at once, the largest first. */
    private void each(Server from, Server to, String moment, List<RowTable> tables, TableWork work)
            throws IOException, SQLException {
        var left = new ConcurrentLinkedQueue<>(tables);
        try (var executor = Executors.newFixedThreadPool(threads)) {
            var workers = new ArrayList<Future<?>>();
            for (int n = 0; n < threads; n++) {
                workers.add(executor.submit(() -> {
                    work(from, to, moment, left, work);
                    return null;
                }));
            }
            for (var worker : workers) {
                worker.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackupException(Text.of("backup.problem.stopped"));
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case SQLException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    private static void work(Server from, Server to, String moment, Queue<RowTable> left, TableWork work)
            throws IOException, SQLException {
        try (var source = new ClusterStore(from.connect());
                var target = new ClusterStore(to.connect())) {
            source.beginReading(moment);
            target.beginWriting();
            for (var table = left.poll(); table != null; table = left.poll()) {
                work.run(source, target, table);
            }
        } catch (IOException | SQLException | RuntimeException e) {
            left.clear();
            throw e;
        }
    }

    private static void requireSame(ClusterStore source, ClusterStore target, RowTable table) throws SQLException {
        var there = source.sum(table);
        var here = target.sum(table);
        if (!there.equals(here)) {
            throw new BackupException(Text.of(
                    "backup.problem.rows-differ", "table", table.name(), "rows", there.rows(), "copied", here.rows()));
        }
    }

    private void adoptSettings(ClusterStore old, ClusterStore next) throws SQLException {
        for (var setting : old.settings()) {
            if (!next.set(setting)) {
                progress.accept(Text.of("backup.upgrade-setting", "name", setting.name(), "value", setting.value()));
            }
        }
    }
}
