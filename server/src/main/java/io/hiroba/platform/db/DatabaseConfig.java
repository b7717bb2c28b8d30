package io.hiroba.platform.db;

import java.time.Duration;

/**
 * How to reach PostgreSQL.
 *
 * @param url a JDBC URL; empty means the embedded database
 * @param poolSize connections this node may hold at once
 * @param statementTimeout a statement that runs longer is cancelled
 * @param idleInTransactionTimeout a transaction that waits longer for its client is rolled back
 */
public record DatabaseConfig(
        String url,
        String user,
        String password,
        int poolSize,
        Duration statementTimeout,
        Duration idleInTransactionTimeout) {

    public DatabaseConfig {
        if (poolSize < 2 || poolSize > 1000) {
            throw new IllegalArgumentException("pool-size must be between 2 and 1000, not " + poolSize);
        }
        requirePositive("statement-timeout", statementTimeout);
        requirePositive("idle-in-transaction-timeout", idleInTransactionTimeout);
    }

    public static DatabaseConfig of(String url, String user, String password) {
        return new DatabaseConfig(url, user, password, 16, Duration.ofSeconds(30), Duration.ofSeconds(60));
    }

    private static void requirePositive(String key, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(key + " must be longer than nothing");
        }
    }
}
