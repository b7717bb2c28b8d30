package io.hiroba.platform.db;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import java.time.Duration;

/** The configuration of the connection to PostgreSQL. */
public record DatabaseConfig(
        @Default("")
        @Secret
        @Doc("postgresql://user:password@host:5432/hiroba, or a JDBC URL. Empty means the embedded database.")
        String url,

        @Default("") @Doc("The role to connect as, where the URL does not name it.")
        String user,

        @Default("") @Secret @Doc("The role's password.") String password,

        @Default("16") @Doc("Connections this node may hold at once.")
        int poolSize,

        @Default("30s") @Doc("A statement that runs longer is cancelled.")
        Duration statementTimeout,

        @Default("10s") @Doc("A transaction that waits longer for its client is rolled back.")
        Duration idleInTransactionTimeout) {

    public DatabaseConfig {
        if (poolSize < 2 || poolSize > 1000) {
            throw new IllegalArgumentException("pool-size must be between 2 and 1000, not " + poolSize);
        }
        requirePositive("statement-timeout", statementTimeout);
        requirePositive("idle-in-transaction-timeout", idleInTransactionTimeout);
    }

    public static DatabaseConfig of(String url, String user, String password) {
        return new DatabaseConfig(url, user, password, 16, Duration.ofSeconds(30), Duration.ofSeconds(10));
    }

    public DatabaseConfig withPoolSize(int connections) {
        return new DatabaseConfig(url, user, password, connections, statementTimeout, idleInTransactionTimeout);
    }

    /** As {@code config} has it, but at another place. */
    public DatabaseConfig at(String otherUrl, String otherUser, String otherPassword) {
        return new DatabaseConfig(
                otherUrl, otherUser, otherPassword, poolSize, statementTimeout, idleInTransactionTimeout);
    }

    private static void requirePositive(String key, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(key + " must be longer than nothing");
        }
    }
}
