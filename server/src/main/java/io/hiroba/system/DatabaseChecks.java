package io.hiroba.system;

import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.SystemCheck.Group;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.i18n.Text;
import io.hiroba.system.DatabaseStateStore.DeadRows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The state of the database: version, connections, transactions, write-ahead log, dead rows, clock and sizes. */
final class DatabaseChecks {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);
    private static final long MUCH_WAL = 5_000_000_000L;
    private static final long OLD_TRANSACTIONS = 1_000_000_000L;
    private static final int LARGEST = 5;

    private final Db db;
    private final DatabaseStateStore store = new DatabaseStateStore();

    DatabaseChecks(Db db) {
        this.db = db;
    }

    String version() {
        return db.read(store::version);
    }

    List<SystemCheck> look() {
        return db.read(reads -> {
            var lines = state(reads);
            lines.add(line("database-size", Text.of("system.size"), SystemCheck.size(store.size(reads))));
            store.schemas(reads)
                    .forEach(size -> lines.add(line(
                            "schema." + size.name(),
                            Text.of("system.schema", "schema", size.name()),
                            Text.of("system.about", "value", SystemCheck.size(size.bytes())))));
            store.tables(reads, LARGEST)
                    .forEach(size -> lines.add(line(
                            "table." + size.name(),
                            Text.of("system.table", "table", size.name()),
                            Text.of("system.about", "value", SystemCheck.size(size.bytes())))));
            return lines;
        });
    }

    /** The lines that have a judgement. */
    List<SystemCheck> state() {
        return db.read(this::state);
    }

    private List<SystemCheck> state(Reads reads) {
        List<SystemCheck> lines = new ArrayList<>();
        lines.add(line("database-version", Text.verbatim("PostgreSQL"), Text.verbatim(store.version(reads))));
        lines.add(writes(reads));
        lines.add(versions(store.programs(reads)));
        var connections = store.connections(reads);
        lines.add(line(
                        "connections",
                        Text.of("system.connections"),
                        Text.of("system.used-of", "used", connections.used(), "all", connections.max()))
                .adviseIf(connections.used() > connections.max() / 10 * 8, Text.of("system.connections-advice")));
        var oldest = store.oldestTransaction(reads);
        lines.add(line("oldest-transaction", Text.of("system.transaction"), SystemCheck.duration(oldest))
                .adviseIf(oldest.compareTo(LONG) > 0, Text.of("system.transaction-advice")));
        lines.add(wal(reads));
        var dead = store.deadRows(reads);
        lines.add(line(
                        "dead-rows",
                        Text.of("system.dead-rows"),
                        Text.of(
                                "system.number",
                                "count",
                                dead.map(DeadRows::count).orElse(0L)))
                .adviseIf(
                        dead.isPresent(),
                        Text.of(
                                "system.dead-rows-advice",
                                "table",
                                dead.map(DeadRows::table).orElse(""))));
        long age = store.transactionAge(reads);
        lines.add(line("transaction-age", Text.of("system.transaction-age"), Text.of("system.number", "count", age))
                .adviseIf(age > OLD_TRANSACTIONS, Text.of("system.transaction-age-advice")));
        var difference = store.clockDifference(reads, Instant.now());
        lines.add(line("clock", Text.of("system.clock"), SystemCheck.duration(difference))
                .adviseIf(difference.compareTo(CLOCK_TOLERANCE) > 0, Text.of("system.clock-advice")));
        return lines;
    }

    private SystemCheck writes(Reads reads) {
        var value = store.isStandby(reads)
                ? "system.writes-standby"
                : store.isReadOnly(reads) ? "system.writes-refused" : "system.writes-taken";
        return line("writes", Text.of("system.writes"), Text.of(value))
                .adviseIf(!value.equals("system.writes-taken"), Text.of("system.writes-advice"));
    }

    private SystemCheck wal(Reads reads) {
        long retained = store.retainedWal(reads);
        return line("wal", Text.of("system.wal"), SystemCheck.size(retained))
                .adviseIf(retained > MUCH_WAL, Text.of("system.wal-advice"))
                .adviseIf(store.isArchivingFailing(reads), Text.of("system.archiving-advice"));
    }

    /** Every connection names the version of its program. */
    private static SystemCheck versions(List<String> programs) {
        return line("versions", Text.of("system.versions"), Text.verbatim(String.join(", ", programs)))
                .adviseIf(programs.size() > 1, Text.of("system.versions-advice"));
    }

    private static SystemCheck line(String code, Text label, Text value) {
        return SystemCheck.of(Group.DATABASE, code, label, value);
    }
}
