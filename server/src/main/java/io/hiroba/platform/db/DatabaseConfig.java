package io.hiroba.platform.db;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import io.hiroba.platform.i18n.Text;
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

        Owner owner,

        @Default("32")
        @Doc(
                "Connections this node may hold at once, all told; at least 9. PostgreSQL itself allows 100 unless told otherwise.")
        int poolSize,

        @Default("30s") @Doc("A statement that runs longer is cancelled.")
        Duration statementTimeout,

        @Default("10s") @Doc("A transaction that waits longer for its client is rolled back.")
        Duration idleInTransactionTimeout) {

    /** The role that owns the schemas, where the one that serves requests does not. */
    public record Owner(
            @Default("") @Doc("The role that owns the schemas and migrates them. Empty means the one to connect as.")
            String user,

            @Default("") @Secret @Doc("The owner's password.")
            String password) {

        private static final Owner NONE = new Owner("", "");
    }

    public DatabaseConfig {
        if (poolSize < 2 || poolSize > 1000) {
            throw new IllegalArgumentException("pool-size must be between 2 and 1000, not " + poolSize);
        }
        requirePositive("statement-timeout", statementTimeout);
        requirePositive("idle-in-transaction-timeout", idleInTransactionTimeout);
    }

    /**
     * The shares of a node's connections.
     *
     * @param requests for requests and background work
     * @param leases for leases alone, so that a busy node does not lose its own
     * @param queries for each of the two pools whose connections have planner settings: queries of records, search of knowledge
     * @param signals the one that listens for signals of other nodes
     * @param owner the one that builds indexes
     */
    public record Pools(int requests, int leases, int queries, int signals, int owner) {}

    private static final int MIN_NODE_SIZE = 9;

    /** Divides {@code poolSize} between the pools of a node. */
    public Pools pools() {
        if (poolSize < MIN_NODE_SIZE) {
            throw new DatabaseException(Text.of("server.start.small-pool", "minimum", MIN_NODE_SIZE, "size", poolSize));
        }
        int queries = Math.clamp((poolSize - 1) / 5, 1, 8);
        return new Pools(poolSize - 2 * queries - 4, 2, queries, 1, 1);
    }

    public static DatabaseConfig of(String url, String user, String password) {
        return new DatabaseConfig(url, user, password, Owner.NONE, 16, Duration.ofSeconds(30), Duration.ofSeconds(10));
    }

    public DatabaseConfig withPoolSize(int connections) {
        return new DatabaseConfig(url, user, password, owner, connections, statementTimeout, idleInTransactionTimeout);
    }

    /** As {@code config} has it, but at another place. */
    public DatabaseConfig at(String otherUrl, String otherUser, String otherPassword) {
        return new DatabaseConfig(
                otherUrl, otherUser, otherPassword, owner, poolSize, statementTimeout, idleInTransactionTimeout);
    }

    /** With the schemas owned by another role. */
    public DatabaseConfig ownedBy(String ownerUser, String ownerPassword) {
        return new DatabaseConfig(
                url,
                user,
                password,
                new Owner(ownerUser, ownerPassword),
                poolSize,
                statementTimeout,
                idleInTransactionTimeout);
    }

    /** How the owner of the schemas connects. */
    public DatabaseConfig asOwner() {
        return owner.user().isEmpty() ? this : at(url, owner.user(), owner.password());
    }

    private static void requirePositive(String key, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(key + " must be longer than nothing");
        }
    }
}
