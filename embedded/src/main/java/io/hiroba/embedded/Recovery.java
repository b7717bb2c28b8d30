package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The recovery of a base backup from the log in its {@code pg_wal}, up to a time or to the log's end. It begins a new timeline,
 * so that the log of what is written from then on is never taken for that of the former server.
 *
 * @param isLowPriority whether the server leaves the processor to others
 */
public record Recovery(Optional<Instant> until, boolean isLowPriority) {

    static final Duration LIMIT = Duration.ofDays(2);

    /** Also tells a server that recovers from one that serves. */
    private static final String PROMOTION = "recovery_target_action=promote";

    /** With a number for the zone: names of zones are not known yet when the setting is read. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS'+00'").withZone(ZoneOffset.UTC);

    /** The folders that PostgreSQL expects and a backup of files does not have where they are empty. */
    private static final List<String> FOLDERS = List.of(
            "pg_wal/archive_status",
            "pg_wal/summaries",
            "pg_replslot",
            "pg_dynshmem",
            "pg_notify",
            "pg_serial",
            "pg_snapshots",
            "pg_stat",
            "pg_stat_tmp",
            "pg_subtrans",
            "pg_tblspc",
            "pg_twophase",
            "pg_commit_ts",
            "pg_logical/snapshots",
            "pg_logical/mappings",
            "pg_multixact/members",
            "pg_multixact/offsets");

    /** All segments are in {@code pg_wal}, so nothing is asked for elsewhere. */
    List<String> settings() {
        var settings = new ArrayList<>(
                List.of("restore_command=false", "recovery_target_timeline=current", PROMOTION, "hot_standby=off"));
        until.ifPresent(time ->
                settings.addAll(List.of("recovery_target_time=" + TIME.format(time), "recovery_target_inclusive=on")));
        return settings;
    }

    static void prepare(Path pgdata) throws IOException {
        if (!Files.exists(pgdata.resolve("backup_label"))) {
            return;
        }
        for (String name : FOLDERS) {
            Files.createDirectories(pgdata.resolve(name));
        }
        try (var folders = Files.walk(pgdata)) {
            for (Path folder : folders.filter(Files::isDirectory).toList()) {
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            }
        }
        Folders.write(pgdata.resolve("recovery.signal"), "", "rw-------");
    }

    /** The newest migration of each schema of a server. */
    public static Map<String, String> schemas(EmbeddedPostgres postgres) throws SQLException {
        try (var connection = connect(postgres)) {
            return BaseBackup.schemas(connection);
        }
    }

    /** The time of the last commit in the log that a server was recovered from, if there was any. */
    public static Optional<Instant> lastCommit(EmbeddedPostgres postgres) throws SQLException {
        try (var connection = connect(postgres);
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT pg_last_xact_replay_timestamp()")) {
            row.next();
            return Optional.ofNullable(row.getTimestamp(1)).map(Timestamp::toInstant);
        }
    }

    /** Reads every row and checks every index of a server that is thrown away afterwards; the number of rows by table. */
    public static SortedMap<String, Long> inspect(EmbeddedPostgres postgres) throws SQLException {
        var rows = new TreeMap<String, Long>();
        try (var connection = connect(postgres);
                var statement = connection.createStatement();
                var each = connection.createStatement()) {
            statement.execute("CREATE EXTENSION IF NOT EXISTS amcheck");
            statement.execute("""
                    SELECT bt_index_check(i.indexrelid)
                    FROM pg_index i
                    JOIN pg_class c ON c.oid = i.indexrelid
                    JOIN pg_am a ON a.oid = c.relam
                    WHERE a.amname = 'btree' AND c.relkind = 'i' AND c.relpersistence = 'p' AND i.indisvalid
                    """);
            try (var tables = statement.executeQuery("""
                    SELECT format('%I.%I', schemaname, tablename)
                    FROM pg_tables
                    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
                    """)) {
                while (tables.next()) {
                    try (var row = each.executeQuery("SELECT count(*) FROM ONLY " + tables.getString(1))) {
                        row.next();
                        rows.put(tables.getString(1), row.getLong(1));
                    }
                }
            }
        }
        return rows;
    }

    private static Connection connect(EmbeddedPostgres postgres) throws SQLException {
        return new Login(postgres.port(), postgres.password()).connectPatiently("postgres");
    }

    /**
     * Ends a server that an interrupted recovery has left in a folder, without regard for its files. Any other that has the folder's
     * database is left alone, and the number of its process is the answer.
     */
    public static Optional<Long> abandon(Path dataDir) throws IOException {
        Path pgdata = dataDir.resolve(DataFolder.DATA);
        if (!Files.isDirectory(pgdata)) {
            return Optional.empty();
        }
        var other = DataFolder.owner(dataDir).or(() -> otherServer(pgdata));
        if (other.isEmpty()) {
            Processes.workingIn(pgdata).forEach(ProcessHandle::destroyForcibly);
            if (!Processes.await(
                    Duration.ofSeconds(20), () -> Processes.workingIn(pgdata).isEmpty())) {
                return Processes.workingIn(pgdata).stream()
                        .map(ProcessHandle::pid)
                        .findFirst();
            }
        }
        return other;
    }

    /** The server of a folder, unless it was started to recover it and for nothing else. */
    private static Optional<Long> otherServer(Path pgdata) {
        return PostmasterFile.read(pgdata)
                .map(PostmasterFile::pid)
                .filter(pid -> Processes.alive(pid)
                        && Processes.worksIn(pid, pgdata).orElse(true)
                        && ProcessHandle.of(pid)
                                .filter(process -> !Processes.wasTold(process, PROMOTION))
                                .isPresent());
    }
}
