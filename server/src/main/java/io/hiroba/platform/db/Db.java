package io.hiroba.platform.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.platform.vault.VaultCredentials.Subscription;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The database: a pool of connections, and transactions that are retried after serialization failures and deadlocks. */
public final class Db implements AutoCloseable {

    private static final int ATTEMPTS = 5;

    /** Long enough for a new connection, and short enough that a request without a database is answered within two seconds. */
    private static final Duration CONNECTION_TIMEOUT = Duration.ofMillis(1500);

    private static final Duration VALIDATION_TIMEOUT = Duration.ofMillis(500);

    /** How long a caller waits for its turn while others get through. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    /** How long a caller waits where connections are in use and nobody gets through. */
    private static final Duration STALL_TIMEOUT = Duration.ofSeconds(5);

    /** How long nobody waits for a connection after somebody did in vain. */
    private static final Duration AWAY = Duration.ofMillis(500);

    /** How long the disk counts as full after a write failed for it: while it is, background work fails more often. */
    private static final Duration FULL = Duration.ofSeconds(30);

    private final HikariDataSource pool;
    private final DatabaseConfig config;
    private final Subscription loginChanges;

    /** The time of {@link System#nanoTime} at which a connection was last given back after work that succeeded. */
    private final AtomicLong lastSuccess = new AtomicLong(System.nanoTime());

    private final Map<String, List<Consumer<String>>> listeners = new ConcurrentHashMap<>();
    private volatile @Nullable Outage outage;

    /** The time of {@link System#nanoTime} until which the disk counts as full. */
    private volatile @Nullable Long fullUntil;

    /** The rehearsal that the current thread is in. */
    private static final ScopedValue<Rehearsal> REHEARSAL = ScopedValue.newInstance();

    /** A transaction that all work of a thread on one database is part of, and that is rolled back. */
    private record Rehearsal(Db db, Connection connection) {}

    /** A failure to get a connection, and until when it is repeated without another try. */
    private record Outage(SQLException failure, long until) {}

    private Db(HikariDataSource pool, DatabaseConfig config) {
        this.pool = pool;
        this.config = config;
        // Those in use are closed when they are given back, so nobody who is at work notices.
        this.loginChanges =
                config.credentials().onChange(() -> pool.getHikariPoolMXBean().softEvictConnections());
    }

    public static Db open(DatabaseConfig config) {
        return open(config, List.of());
    }

    /** As above, and measured from the first connection on: one that was lent before would count as lent since the machine began. */
    public static Db open(DatabaseConfig config, MeterRegistry meters) {
        var hikari = settings(config, List.of());
        hikari.setMetricRegistry(meters);
        return new Db(new HikariDataSource(hikari), config);
    }

    /**
     * As above, for connections with settings of their own. They are set once a connection is made: the driver takes the
     * primary for a standby where a session begins as read-only.
     *
     * @param settings each as {@code name=value}
     */
    public static Db open(DatabaseConfig config, List<String> settings) {
        return new Db(new HikariDataSource(settings(config, settings)), config);
    }

    private static HikariConfig settings(DatabaseConfig config, List<String> settings) {
        var hikari = new HikariConfig();
        hikari.setPoolName("hiroba");
        hikari.setDataSource(new LoginDataSource(config, true));
        hikari.setMaximumPoolSize(config.poolSize());
        hikari.setMinimumIdle(Math.min(config.pool().idle(), config.poolSize()));
        hikari.setIdleTimeout(config.pool().idleTimeout().toMillis());
        hikari.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
        hikari.setValidationTimeout(VALIDATION_TIMEOUT.toMillis());
        hikari.setMaxLifetime(config.pool().maxLifetime().toMillis());
        // Reading the event log relies on each statement seeing what was committed before it (ADR 10).
        hikari.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        if (!settings.isEmpty()) {
            hikari.setConnectionInitSql(settings.stream()
                    .map(setting -> setting.split("=", 2))
                    .map(setting -> "SET %s = '%s'".formatted(setting[0], setting[1]))
                    .collect(Collectors.joining("; ")));
        }
        return hikari;
    }

    /** A connection outside any pool, for the caller to close. */
    public static Connection connect(DatabaseConfig config) throws SQLException {
        return new LoginDataSource(config, true).getConnection();
    }

    /** A connection of the owner of the schemas, outside the pool, for the caller to close. */
    public Connection connectAsOwner() throws SQLException {
        return connect(config.asOwner());
    }

    /**
     * Runs {@code work} in a transaction and commits it. A serialisation failure or a deadlock rolls back and runs
     * {@code work} again, so it must have no effect outside its transaction but through {@link Tx#afterCommit}.
     */
    public <T extends @Nullable Object> T inTransaction(Function<Tx, T> work) {
        return retried(() -> attempt(work));
    }

    /**
     * Runs a single statement that writes, and is a transaction of its own: one round trip. It is tried again as in {@link
     * #inTransaction}, and a second statement in {@code work} would be committed apart.
     */
    public <T extends @Nullable Object> T inStatement(Function<Reads, T> work) {
        // Its events can carry the trace only within a transaction.
        return TraceSpan.current().isRecording() ? inTransaction(work::apply) : retried(() -> read(work));
    }

    /**
     * Does {@code work} and undoes it: everything that it writes on this thread is one transaction, which it sees and nobody else,
     * and which is rolled back. Nothing runs after its commits. So it tells whether the work would be allowed, and what it would
     * answer.
     */
    public <T extends @Nullable Object> T rehearse(Supplier<T> work) {
        try (var connection = connection()) {
            connection.setAutoCommit(false);
            try {
                return ScopedValue.where(REHEARSAL, new Rehearsal(this, connection))
                        .call(work::get);
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new DbException(e);
        }
    }

    /** Whether this thread is in a rehearsal, so that no other thread may do its work. */
    static boolean isRehearsal() {
        return REHEARSAL.isBound();
    }

    private <T extends @Nullable Object> T rehearsed(Function<? super Tx, T> work) {
        var rehearsal = REHEARSAL.get();
        if (rehearsal.db() != this) {
            try (var connection = connection()) {
                connection.setAutoCommit(false);
                try {
                    return work.apply(new Tx(connection));
                } finally {
                    connection.rollback();
                }
            } catch (SQLException e) {
                throw new DbException(e);
            }
        }
        var connection = rehearsal.connection();
        try {
            var before = connection.setSavepoint();
            try {
                var result = work.apply(new Tx(connection));
                connection.releaseSavepoint(before);
                return result;
            } catch (Throwable failure) {
                connection.rollback(before);
                throw failure;
            }
        } catch (SQLException e) {
            throw new DbException(e);
        }
    }

    private static <T extends @Nullable Object> T retried(Supplier<T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.get();
            } catch (DbException e) {
                if (attempt == ATTEMPTS || !SqlState.wantsRetry(e)) {
                    throw e;
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000, 10_000_000L << attempt));
            }
        }
    }

    /** As {@link #inTransaction}, for work without a result. */
    public void useTransaction(Consumer<Tx> work) {
        this.<@Nullable Void>inTransaction(tx -> {
            work.accept(tx);
            return null;
        });
    }

    /** Runs single statements outside a transaction: one round trip each. */
    public <T extends @Nullable Object> T read(Function<Reads, T> work) {
        if (isRehearsal()) {
            return rehearsed(work);
        }
        try (var connection = connection()) {
            var reads = new Reads(connection);
            var result = work.apply(reads);
            succeeded();
            tell(reads);
            return result;
        } catch (SQLException e) {
            throw learn(new DbException(e));
        } catch (DbException e) {
            throw learn(e);
        }
    }

    /**
     * A connection of the pool. Where all are in use and others get through, the caller waits its turn; where nobody does, the
     * database is away, and neither this caller nor the next ones are kept waiting.
     */
    private Connection connection() throws SQLException {
        long begun = System.nanoTime();
        while (true) {
            var away = outage;
            if (away != null
                    && away.until() - System.nanoTime() > 0
                    && pool.getHikariPoolMXBean().getIdleConnections() == 0) {
                throw new SQLTransientConnectionException(away.failure());
            }
            try {
                return pool.getConnection();
            } catch (SQLTransientConnectionException e) {
                long now = System.nanoTime();
                var stalled = isBusy(e) ? STALL_TIMEOUT : CONNECTION_TIMEOUT;
                if (now - begun > MAX_WAIT.toNanos() || now - lastSuccess.get() > stalled.toNanos()) {
                    outage = new Outage(e, now + AWAY.toNanos());
                    throw e;
                }
            }
        }
    }

    /** Whether others hold all connections, or some while no attempt to make another one has failed: it may only take its time. */
    private boolean isBusy(SQLTransientConnectionException timeout) {
        int active = pool.getHikariPoolMXBean().getActiveConnections();
        return active >= pool.getMaximumPoolSize() || (active > 0 && timeout.getCause() == null);
    }

    /**
     * Takes new connections after a write was refused, since the server has become a standby, and another may be the primary; and
     * remembers that the disk is full.
     */
    private DbException learn(DbException failure) {
        if (SqlState.is(failure, SqlState.READ_ONLY_TRANSACTION)) {
            pool.getHikariPoolMXBean().softEvictConnections();
        } else if (SqlState.isDiskFull(failure)) {
            fullUntil = System.nanoTime() + FULL.toNanos();
        }
        return failure;
    }

    private void succeeded() {
        lastSuccess.set(System.nanoTime());
        OutageLog.SHARED.succeeded();
    }

    /** Whether the disk of the database was full when something was written a moment ago. */
    public boolean isDiskFull() {
        var until = fullUntil;
        return until != null && until - System.nanoTime() > 0;
    }

    /**
     * Calls {@code listener} after each commit in which functions of the database have raised a notice with this code, with its
     * message. It must neither block nor throw.
     *
     * @param code a SQLSTATE that begins with HB
     */
    public void onNotice(String code, Consumer<String> listener) {
        listeners.computeIfAbsent(code, key -> new CopyOnWriteArrayList<>()).add(listener);
    }

    private void tell(Reads reads) {
        for (var notice : reads.notices()) {
            listeners.getOrDefault(notice.code(), List.of()).forEach(listener -> listener.accept(notice.message()));
        }
    }

    public DataSource dataSource() {
        return pool;
    }

    /** Whether the database, which must answer, takes writes: a standby does not, nor one that was set to read only. */
    public boolean isWritable() {
        return read(reads -> reads.query("SELECT current_setting('transaction_read_only') = 'off'")
                .mapTo(Boolean.class)
                .one());
    }

    @Override
    public void close() {
        loginChanges.close();
        pool.close();
    }

    private <T extends @Nullable Object> T attempt(Function<Tx, T> work) {
        if (isRehearsal()) {
            return rehearsed(work);
        }
        Tx tx;
        T result;
        try (var connection = connection()) {
            connection.setAutoCommit(false);
            tx = new Tx(connection);
            try {
                tx.joinTrace();
                result = work.apply(tx);
                commit(connection);
                succeeded();
            } catch (Throwable failure) {
                rollBack(connection, failure);
                throw failure;
            }
        } catch (SQLException e) {
            throw learn(new DbException(e));
        } catch (DbException e) {
            throw learn(e);
        }
        tx.committed();
        tell(tx);
        return result;
    }

    private static void commit(Connection connection) throws SQLException {
        var current = TraceSpan.current();
        if (!current.isRecording()) {
            connection.commit();
            return;
        }
        var span = current.child("COMMIT", TraceSpan.Kind.CLIENT).set("db.system.name", "postgresql");
        try {
            connection.commit();
        } catch (SQLException e) {
            span.fail(String.valueOf(e.getSQLState()));
            throw e;
        } finally {
            span.end();
        }
    }

    private static void rollBack(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }
}
