package io.hiroba.platform.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
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

    private final HikariDataSource pool;

    private Db(HikariDataSource pool) {
        this.pool = pool;
    }

    public static Db open(DatabaseConfig config) {
        return open(config, List.of());
    }

    /**
     * As above, for connections with settings of their own.
     *
     * @param settings each as {@code name=value}
     */
    public static Db open(DatabaseConfig config, List<String> settings) {
        var hikari = new HikariConfig();
        hikari.setPoolName("hiroba");
        hikari.setJdbcUrl(config.url());
        hikari.setUsername(config.user());
        hikari.setPassword(config.password());
        hikari.setMaximumPoolSize(config.poolSize());
        hikari.setMinimumIdle(2);
        hikari.setConnectionTimeout(10_000);
        hikari.setMaxLifetime(30 * 60_000L);
        // Reading the event log relies on each statement seeing what was committed before it (ADR 10).
        hikari.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        hikari.addDataSourceProperty("ApplicationName", "hiroba");
        hikari.addDataSourceProperty("logServerErrorDetail", "false");
        // A database host that vanishes sends nothing, not even that a statement timed out.
        hikari.addDataSourceProperty(
                "socketTimeout",
                String.valueOf(config.statementTimeout().plusSeconds(10).toSeconds()));
        hikari.addDataSourceProperty("reWriteBatchedInserts", "true");
        hikari.addDataSourceProperty("tcpKeepAlive", "true");
        hikari.addDataSourceProperty(
                "options",
                "-c statement_timeout=%d -c idle_in_transaction_session_timeout=%d -c TimeZone=UTC"
                                .formatted(
                                        config.statementTimeout().toMillis(),
                                        config.idleInTransactionTimeout().toMillis())
                        + settings.stream().map(setting -> " -c " + setting).collect(Collectors.joining()));
        return new Db(new HikariDataSource(hikari));
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
        return retried(() -> read(work));
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
        try (var connection = pool.getConnection()) {
            return work.apply(new Reads(connection));
        } catch (SQLException e) {
            throw new DbException(e);
        }
    }

    public DataSource dataSource() {
        return pool;
    }

    /** Throws if the database does not answer. */
    public void ping() {
        read(reads -> reads.query("SELECT true").mapTo(Boolean.class).one());
    }

    @Override
    public void close() {
        pool.close();
    }

    private <T extends @Nullable Object> T attempt(Function<Tx, T> work) {
        Tx tx;
        T result;
        try (var connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            tx = new Tx(connection);
            try {
                result = work.apply(tx);
                connection.commit();
            } catch (Throwable failure) {
                rollBack(connection, failure);
                throw failure;
            }
        } catch (SQLException e) {
            throw new DbException(e);
        }
        tx.committed();
        return result;
    }

    private static void rollBack(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }
}
