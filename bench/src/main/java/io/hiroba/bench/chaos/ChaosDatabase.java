package io.hiroba.bench.chaos;

import io.hiroba.bench.BenchDatabase;
import io.hiroba.platform.db.DatabaseConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;

/** The database that the nodes of a run share, with connections that the nemesis does not terminate. */
public final class ChaosDatabase implements AutoCloseable {

    private static final Duration RECOVERY_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration CRASH_TIMEOUT = Duration.ofSeconds(5);
    private static final long POLL_NANOS = 50_000_000;

    private final BenchDatabase database;
    private final Jdbi jdbi;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ChaosDatabase(BenchDatabase database) {
        this.database = database;
        var config = database.config();
        var properties = new Properties();
        properties.setProperty("user", config.user());
        properties.setProperty("password", config.password());
        properties.setProperty("ApplicationName", "chaos");
        this.jdbi = Jdbi.create(config.url(), properties);
    }

    public static ChaosDatabase create() {
        var database = BenchDatabase.create();
        // The nemesis could not distinguish its connections from those of the servers.
        database.db().close();
        return new ChaosDatabase(database);
    }

    /** Opens a connection, which the caller closes. */
    public Handle open() {
        return jdbi.open();
    }

    public Path folder() {
        return database.folder();
    }

    public DatabaseConfig config() {
        return database.config();
    }

    /** The settings of a server that uses this database. */
    List<String> flags() {
        var config = database.config();
        return List.of(
                "--database.url=" + config.url(),
                "--database.user=" + config.user(),
                "--database.password=" + config.password());
    }

    /**
     * Kills a process of the database, which then ends all others and recovers from its log, as after a power cut; returns when it
     * is back.
     */
    public synchronized void crash() {
        Await.until(RECOVERY_TIMEOUT, this::isCrashed, () -> "the database did not crash");
        Await.until(RECOVERY_TIMEOUT, this::isReady, () -> "the database does not recover");
    }

    /** Kills a process; false if it had ended just before. */
    private boolean isCrashed() {
        try (var witness = open()) {
            witness.createQuery("""
                            SELECT pid FROM pg_stat_activity
                            WHERE backend_type = 'client backend'
                            ORDER BY application_name LIKE 'hiroba%' DESC LIMIT 1
                            """)
                    .mapTo(Long.class)
                    .findOne()
                    .flatMap(ProcessHandle::of)
                    .ifPresent(ProcessHandle::destroyForcibly);
            long end = System.nanoTime() + CRASH_TIMEOUT.toNanos();
            while (isUsable(witness)) {
                if (System.nanoTime() > end) {
                    return false;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
            return true;
        } catch (JdbiException e) {
            return true; // it went down after the process before
        }
    }

    private static boolean isUsable(Handle handle) {
        try {
            return handle.createQuery("SELECT true").mapTo(Boolean.class).one();
        } catch (JdbiException e) {
            return false;
        }
    }

    private boolean isReady() {
        try (var handle = open()) {
            return isUsable(handle);
        } catch (JdbiException e) {
            return false;
        }
    }

    /** Terminates up to {@code max} connections of servers and returns how many. */
    synchronized int terminateConnections(int max) {
        try (var handle = open()) {
            return handle.createQuery("""
                            SELECT pg_terminate_backend(victim.pid)
                            FROM (SELECT pid FROM pg_stat_activity
                                  WHERE application_name LIKE 'hiroba%' AND datname = current_database()
                                  -- Busy connections first: terminating an idle one in a pool breaks little.
                                  ORDER BY (state = 'idle')::int * random() LIMIT :max) AS victim
                            """)
                    .bind("max", max)
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

    /** Whether a transaction from before {@code moment} is still open, perhaps of a killed process. */
    public boolean hasTransactionsSince(Instant moment) {
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

    /** Counts the events that {@code consumer} has not handled. */
    public static long waiting(Handle handle, String consumer) {
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
