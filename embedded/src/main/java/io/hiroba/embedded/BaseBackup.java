package io.hiroba.embedded;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A base backup of a server while it serves, by PostgreSQL's backup functions: the files of its folder, torn and of different
 * moments as they are, and the write-ahead log that makes one state of them.
 *
 * <p>From before its end until it is closed it holds an advisory lock, so that files which the rows of that moment name stay until
 * they are copied.
 */
public final class BaseBackup implements AutoCloseable {

    /** Recovery makes them anew; the folders themselves must be there. */
    private static final Set<String> EMPTY = Set.of(
            "pg_wal",
            "pg_replslot",
            "pg_dynshmem",
            "pg_notify",
            "pg_serial",
            "pg_snapshots",
            "pg_stat_tmp",
            "pg_subtrans",
            "log");

    private static final Pattern LEFT_OUT =
            Pattern.compile("postmaster\\.(pid|opts)|pgsql_tmp.*|pg_internal\\.init.*|backup_label.*|tablespace_map.*"
                    + "|backup_manifest.*|(recovery|standby)\\.signal|current_logfiles.*|.*\\.auto\\.conf\\.tmp|t\\d+_\\d+.*"
                    + "|\\.hiroba\\.conf-.*");

    /** Beside PostgreSQL's own folder: what the next start needs of it. */
    private static final Pattern BESIDE = Pattern.compile("password(-\\w+)?|initialised");

    private static final String CONTROL_FILE = "global/pg_control";
    private static final int CONTROL_READS = 100;

    /** A server keeps a limited part of its log even for a slot, and a backup may take longer than that lasts. */
    private static final int SEGMENTS_AT_ONCE = 4;

    private static final String SLOT = "'hiroba_backup_' || pg_backend_pid()";

    private final RunningServer server;
    private final Connection connection;
    private final String filesLock;
    private final Wal wal;

    private BaseBackup(RunningServer server, Connection connection, String filesLock) throws SQLException {
        this.server = server;
        this.connection = connection;
        this.filesLock = filesLock;
        this.wal = Wal.of(connection);
    }

    /** Receives the files of a backup, by their paths below the folder of the database. */
    @FunctionalInterface
    public interface Sink {
        void file(String path, InputStream content) throws IOException;
    }

    /**
     * The description of a backup that is complete.
     *
     * @param schemas the newest migration of each schema
     * @param ended all that was committed before is in it
     * @param consistent the first time that the log can be followed to
     */
    public record Result(
            String postgresql,
            String systemId,
            Map<String, String> schemas,
            WalPosition start,
            WalPosition stop,
            Instant ended,
            Instant consistent) {}

    /**
     * Prepares a backup of the server of a folder, which is started if it does not run.
     *
     * @param filesLock the key of the advisory lock that keeps files from being deleted
     */
    public static BaseBackup of(EmbeddedConfig config, String filesLock) throws IOException, SQLException {
        var server = RunningServer.of(config, step -> {});
        try {
            return new BaseBackup(server, server.connect(), filesLock);
        } catch (SQLException e) {
            server.close();
            throw e;
        }
    }

    /** About how many bytes there are to copy. */
    public long size() throws SQLException {
        return Long.parseLong(one("SELECT sum(pg_database_size(oid)) FROM pg_database"));
    }

    /** Copies everything. Only what is written after its result can be lacking from it. */
    public Result copy(Sink sink) throws IOException, SQLException {
        // Keeps the log from being removed until it is copied, and goes with the connection.
        one("SELECT pg_create_physical_replication_slot(" + SLOT + ", true, true)");
        var log = new LogCopy(wal.start(one("SELECT pg_backup_start('hiroba', true)"), timeline()), sink);
        for (Path file : Folders.list(server.root(), "")) {
            if (BESIDE.matcher(file.getFileName().toString()).matches()) {
                send(sink, file.getFileName().toString(), file);
            }
        }
        copyFiles(sink, log);
        sink.file("data/" + CONTROL_FILE, new ByteArrayInputStream(controlFile()));
        one("SELECT pg_advisory_lock(" + filesLock + ") IS NULL");
        var ended = now();
        // A commit of a later time: recovery up to any time before sees by it that it has seen everything.
        one("SELECT pg_current_xact_id()");
        String label;
        String stop;
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT lsn, labelfile, spcmapfile FROM pg_backup_stop(false)")) {
            row.next();
            stop = row.getString(1);
            label = row.getString(2);
            if (!row.getString(3).isBlank()) {
                throw new EmbeddedException("The database has tablespaces, which a backup does not take along.");
            }
        }
        var consistent = now();
        sink.file("data/backup_label", new ByteArrayInputStream(label.getBytes(StandardCharsets.UTF_8)));
        var first = wal.start(field(label, "START WAL LOCATION: ([0-9A-F/]+) "), timeline(label));
        var last = wal.end(stop, timeline(label));
        log.copyBefore(last.segment() + 1);
        for (Path history : Folders.list(server.pgdata().resolve("pg_wal"), "")) {
            if (history.getFileName().toString().endsWith(".history")) {
                send(sink, "data/pg_wal/" + history.getFileName(), history);
            }
        }
        return new Result(
                one("SHOW server_version"),
                one("SELECT system_identifier FROM pg_control_system()"),
                schemas(connection),
                first,
                last,
                ended,
                consistent);
    }

    private Instant now() throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT clock_timestamp()")) {
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        }
    }

    /** The newest migration of each schema that has a history of them. */
    static Map<String, String> schemas(Connection connection) throws SQLException {
        var found = new TreeMap<String, String>();
        try (var statement = connection.createStatement();
                var each = connection.createStatement();
                var rows = statement.executeQuery("""
                        SELECT quote_ident(schemaname) FROM pg_tables WHERE tablename = 'schema_history'
                        """)) {
            while (rows.next()) {
                String schema = rows.getString(1);
                try (var row = each.executeQuery(
                        "SELECT version FROM " + schema
                                + ".schema_history WHERE success AND version IS NOT NULL ORDER BY installed_rank DESC LIMIT 1")) {
                    if (row.next()) {
                        found.put(schema, row.getString(1));
                    }
                }
            }
        }
        return found;
    }

    /** Copies the log while the files are copied, so that the server need not keep all of it until the end. */
    private final class LogCopy {

        private final int timeline;
        private final Sink sink;
        private long next;

        LogCopy(WalPosition start, Sink sink) {
            this.timeline = start.timeline();
            this.sink = sink;
            this.next = start.segment();
        }

        void copyComplete() throws IOException {
            try {
                long current = Wal.bytes(one("SELECT pg_current_wal_flush_lsn()")) / wal.segmentSize();
                if (current - next >= SEGMENTS_AT_ONCE) {
                    copyBefore(current);
                    one("SELECT end_lsn FROM pg_replication_slot_advance(%s, '%s')".formatted(SLOT, wal.lsn(current)));
                }
            } catch (SQLException e) {
                throw new IOException("the write-ahead log could not be copied: " + e.getMessage(), e);
            }
        }

        void copyBefore(long end) throws IOException {
            for (; next < end; next++) {
                String name = wal.name(timeline, next);
                send(
                        sink,
                        "data/pg_wal/" + name,
                        server.pgdata().resolve("pg_wal").resolve(name));
            }
        }
    }

    private void copyFiles(Sink sink, LogCopy log) throws IOException {
        Path pgdata = server.pgdata();
        Files.walkFileTree(pgdata, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = pgdata.relativize(folder).toString();
                return EMPTY.contains(name)
                                || LEFT_OUT.matcher(folder.getFileName().toString())
                                        .matches()
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = pgdata.relativize(file).toString();
                if (attributes.isRegularFile()
                        && !name.equals(CONTROL_FILE)
                        && !LEFT_OUT.matcher(file.getFileName().toString()).matches()) {
                    send(sink, "data/" + name, file);
                    log.copyComplete();
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException problem) throws IOException {
                return Folders.unlessGone(problem);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException problem) throws IOException {
                return Folders.unlessGone(problem);
            }
        });
    }

    private static void send(Sink sink, String path, Path file) throws IOException {
        boolean isLog = path.startsWith("data/pg_wal/");
        try (var content = Files.newInputStream(file)) {
            sink.file(path, content);
        } catch (NoSuchFileException e) {
            if (isLog) {
                throw e;
            }
        }
    }

    /** It has a checksum over all of it, so a read in the middle of a write would be of no use. */
    private byte[] controlFile() throws IOException {
        Path file = server.pgdata().resolve(CONTROL_FILE);
        byte[] before = Files.readAllBytes(file);
        for (int read = 0; read < CONTROL_READS; read++) {
            byte[] now = Files.readAllBytes(file);
            if (Arrays.equals(before, now)) {
                return now;
            }
            before = now;
        }
        throw new EmbeddedException("The file " + file + " changes all the time: try again.");
    }

    private int timeline() throws SQLException {
        return Integer.parseUnsignedInt(one("SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)"), 16);
    }

    private static int timeline(String label) {
        return Integer.parseInt(field(label, "START TIMELINE: (\\d+)"));
    }

    private static String field(String label, String pattern) {
        var matcher = Pattern.compile(pattern).matcher(label);
        if (!matcher.find()) {
            throw new EmbeddedException("PostgreSQL's label of the backup is not as expected: " + label);
        }
        return matcher.group(1);
    }

    private String one(String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    /** Ends the backup, also one in the middle, and stops a server that was started for it. */
    @Override
    public void close() throws SQLException {
        try (server) {
            connection.close();
        }
    }
}
