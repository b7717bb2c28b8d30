package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * The write-ahead log of a running server for who archives it. A replication slot keeps each file until it was taken, also through
 * a crash of either, up to the size that the server is set to keep.
 */
public final class WalStream implements AutoCloseable {

    private static final String SLOT = "'hiroba_archive'";

    private final RunningServer server;
    private final Connection connection;
    private final Wal wal;

    private WalStream(RunningServer server, Connection connection, Wal wal) {
        this.server = server;
        this.connection = connection;
        this.wal = wal;
    }

    /** Opens the log of the server of a folder, and keeps it from here on. */
    public static WalStream open(EmbeddedConfig config) throws IOException, SQLException {
        var server = RunningServer.of(config, step -> {});
        try {
            var connection = server.connect();
            try {
                var stream = new WalStream(server, connection, Wal.of(connection));
                stream.ensureSlot();
                return stream;
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            server.close();
            throw e;
        }
    }

    /** Lets the server remove its log again. */
    public static void forget(EmbeddedConfig config) throws IOException, SQLException {
        try (var server = RunningServer.of(config, step -> {});
                var connection = server.connect();
                var statement = connection.createStatement()) {
            statement.execute(
                    "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = " + SLOT);
        }
    }

    private void ensureSlot() throws SQLException {
        try (var statement = connection.createStatement()) {
            // One that fell too far behind is of no use; the archive goes on after the next full backup.
            statement.execute("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
                    + " WHERE slot_name = " + SLOT + " AND (wal_status = 'lost' OR restart_lsn IS NULL)");
            statement.execute("SELECT pg_create_physical_replication_slot(" + SLOT + ", true)"
                    + " WHERE NOT EXISTS (SELECT 1 FROM pg_replication_slots WHERE slot_name = " + SLOT + ")");
        }
    }

    /** The first file of the log that is kept here. */
    public WalPosition first() throws SQLException {
        String lsn = one("SELECT restart_lsn FROM pg_replication_slots WHERE slot_name = " + SLOT);
        return wal.start(lsn, timeline());
    }

    /**
     * Hands over the files of the log that are complete, then begins a new one and hands over the one before. Those of a run that failed
     * are handed over again.
     *
     * @return all that was committed before is in files that were handed over
     */
    public Instant take(BaseBackup.Sink sink) throws IOException, SQLException {
        // First what is there: while it cannot be stored, no further file is closed that holds next to nothing.
        handOver(sink);
        Instant covered;
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT clock_timestamp()")) {
            row.next();
            covered = row.getObject(1, OffsetDateTime.class).toInstant();
        }
        // A commit of a later time: recovery up to that time sees by it that it has seen everything.
        one("SELECT pg_current_xact_id()");
        one("SELECT pg_switch_wal()");
        handOver(sink);
        return covered;
    }

    private int timeline() throws SQLException {
        return Integer.parseUnsignedInt(one("SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)"), 16);
    }

    private void handOver(BaseBackup.Sink sink) throws IOException, SQLException {
        long next = Wal.bytes(one("SELECT pg_current_wal_flush_lsn()")) / wal.segmentSize();
        var first = first();
        for (long segment = first.segment(); segment < next; segment++) {
            String name = wal.name(first.timeline(), segment);
            Path file = server.pgdata().resolve("pg_wal").resolve(name);
            try (var content = Files.newInputStream(file)) {
                sink.file(name, content);
            }
        }
        if (next > first.segment()) {
            one("SELECT end_lsn FROM pg_replication_slot_advance(%s, '%s')".formatted(SLOT, wal.lsn(next)));
        }
    }

    private String one(String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    @Override
    public void close() throws SQLException {
        try (server) {
            connection.close();
        }
    }
}
