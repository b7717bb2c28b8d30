package io.hiroba.bench.chaos;

import io.hiroba.bench.BenchDatabase;
import io.hiroba.platform.db.DatabaseConfig;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** The database that the servers of a run share, with a way into it that no havoc touches. */
public final class Ground implements AutoCloseable {

    private final BenchDatabase database;
    private final Jdbi jdbi;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Ground(BenchDatabase database) {
        this.database = database;
        var config = database.config();
        var properties = new Properties();
        properties.setProperty("user", config.user());
        properties.setProperty("password", config.password());
        properties.setProperty("ApplicationName", "chaos");
        this.jdbi = Jdbi.create(config.url(), properties);
    }

    public static Ground create() {
        var database = BenchDatabase.create();
        // The havoc could not tell its connections from those of the servers.
        database.db().close();
        return new Ground(database);
    }

    /** A connection of its own; close it. */
    public Handle open() {
        return jdbi.open();
    }

    public Path folder() {
        return database.folder();
    }

    /** How a server finds it. */
    public DatabaseConfig config() {
        return database.config();
    }

    /** The same as settings. */
    List<String> flags() {
        var config = database.config();
        return List.of(
                "--database.url=" + config.url(),
                "--database.user=" + config.user(),
                "--database.password=" + config.password());
    }

    /** Ends up to {@code most} connections of servers, in whatever they are doing; answers how many. */
    int endConnections(int most) {
        try (var handle = open()) {
            return handle.createQuery("""
                            SELECT pg_terminate_backend(victim.pid)
                            FROM (SELECT pid FROM pg_stat_activity
                                  WHERE application_name = 'hiroba' AND datname = current_database()
                                  -- One that is at work is worth more than one that waits in a pool.
                                  ORDER BY (state = 'idle')::int * random() LIMIT :most) AS victim
                            """)
                    .bind("most", most)
                    .mapTo(Boolean.class)
                    .list()
                    .size();
        }
    }

    public Instant now() {
        try (var handle = open()) {
            return handle.createQuery("SELECT clock_timestamp()")
                    .mapTo(Instant.class)
                    .one();
        }
    }

    /** Whether a transaction is still open that began before {@code moment}, perhaps of a process that is dead. */
    public boolean isAtWorkSince(Instant moment) {
        try (var handle = open()) {
            return handle.createQuery("""
                            SELECT EXISTS (
                                SELECT FROM pg_stat_activity
                                WHERE datname = current_database() AND xact_start < :moment AND pid <> pg_backend_pid()
                                  AND backend_type = 'client backend')
                            """)
                    .bind("moment", moment)
                    .mapTo(Boolean.class)
                    .one();
        }
    }

    /** How many events {@code consumer} has not handled, as {@code handle} sees them. */
    static long waiting(Handle handle, String consumer) {
        return handle.createQuery("""
                        SELECT count(*)
                        FROM platform.event_logs e
                        LEFT JOIN platform.event_log_cursors c
                          ON c.consumer = :consumer AND c.partition_id = e.partition_id
                        WHERE e.event_id > coalesce(c.last_event_id, 0)
                        """)
                .bind("consumer", consumer)
                .mapTo(Long.class)
                .one();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            database.close();
        }
    }
}
