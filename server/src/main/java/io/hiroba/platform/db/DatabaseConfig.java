package io.hiroba.platform.db;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.vault.Vault;
import io.hiroba.platform.vault.VaultCredentials;
import io.hiroba.platform.vault.VaultCredentials.Login;
import io.hiroba.platform.vault.VaultCredentials.Subscription;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The configuration of the connection to PostgreSQL. */
public record DatabaseConfig(
        @Default("")
        @Secret
        @Doc("postgresql://user:password@host:5432/hiroba, or a JDBC URL. Empty means the embedded database.")
        String url,

        @Default("") @Doc("The role to connect as, where the URL does not name it.")
        String user,

        @Default("") @Secret @Doc("The role's password.") String password,

        @Default("")
        @Doc(
                "Where Vault has the role and its password, instead of both: `vault:database/creds/hiroba` (a role that Vault"
                        + " makes), `vault:database/static-creds/hiroba` (one whose password it changes) or `vault:secret/hiroba` (a"
                        + " secret with `username` and `password`). They change while Hiroba runs.")
        VaultCredentials credentials,

        Owner owner,
        Tls tls,

        @Default("32")
        @Doc(
                "Connections this node may hold at once, all told; at least 9. PostgreSQL itself allows 100 unless told otherwise.")
        int poolSize,

        Pool pool,

        @Default("30s") @Doc("A statement that runs longer is cancelled.")
        Duration statementTimeout,

        @Default("10s") @Doc("A transaction that waits longer for its client is rolled back.")
        Duration idleInTransactionTimeout) {

    private static final VaultCredentials NO_CREDENTIALS = VaultCredentials.parse("");

    /** The role that owns the schemas, where the one that serves requests does not. */
    public record Owner(
            @Default("") @Doc("The role that owns the schemas and migrates them. Empty means the one to connect as.")
            String user,

            @Default("") @Secret @Doc("The owner's password.")
            String password,

            @Default("") @Doc("Where Vault has the owner's role and password, as for `database.credentials`.")
            VaultCredentials credentials) {

        private static final Owner NONE = new Owner("", "", NO_CREDENTIALS);

        boolean isConfigured() {
            return !user.isEmpty() || credentials.isConfigured();
        }
    }

    /** TLS of the connection. */
    public record Tls(
            @Default("prefer")
            @Doc("Whether connections are encrypted: `prefer` if the server can, `require` always, `verify-ca` and"
                    + " `verify-full` only with a certificate that is trusted, the latter only of the host in the URL.")
            Mode mode,

            @Default("")
            @Doc("The certificates, in PEM, of the authorities that are trusted. Empty means `~/.postgresql/root.crt`.")
            Path ca) {

        /** The modes of PostgreSQL's clients. */
        public enum Mode {
            PREFER,
            DISABLE,
            REQUIRE,
            VERIFY_CA,
            VERIFY_FULL;

            /** The name that the driver has for it. */
            String code() {
                return name().toLowerCase(Locale.ROOT).replace('_', '-');
            }
        }

        private static final Tls USUAL = new Tls(Mode.PREFER, Path.of(""));
    }

    /** The connections that are kept open. */
    public record Pool(
            @Default("2")
            @Doc("Connections of each of the node's four pools that stay open when nothing is to be done.")
            int idle,

            @Default("10m") @Doc("A connection that is not needed for so long is closed.")
            Duration idleTimeout,

            @Default("30m") @Doc("A connection that is this old is replaced by a new one.")
            Duration maxLifetime) {

        private static final Duration MIN_IDLE_TIMEOUT = Duration.ofSeconds(10);
        private static final Duration MIN_LIFETIME = Duration.ofSeconds(30);
        private static final Pool USUAL = new Pool(2, Duration.ofMinutes(10), Duration.ofMinutes(30));

        public Pool {
            if (idle < 0 || idle > 100) {
                throw new IllegalArgumentException("pool.idle must be between 0 and 100, not " + idle);
            }
            if (idleTimeout.compareTo(MIN_IDLE_TIMEOUT) < 0) {
                throw new IllegalArgumentException("pool.idle-timeout must be at least 10s");
            }
            if (maxLifetime.compareTo(MIN_LIFETIME) < 0) {
                throw new IllegalArgumentException("pool.max-lifetime must be at least 30s");
            }
        }
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

    /** The fewest connections that a node can be run with; commands make do with less. */
    public static final int MIN_NODE_SIZE = 9;

    /** Divides {@code poolSize} between the pools of a node. */
    public Pools pools() {
        if (poolSize < MIN_NODE_SIZE) {
            throw new DatabaseException(Text.of("server.start.small-pool", "minimum", MIN_NODE_SIZE, "size", poolSize));
        }
        int queries = Math.clamp((poolSize - 1) / 5, 1, 8);
        return new Pools(poolSize - 2 * queries - 4, 2, queries, 1, 1);
    }

    public static DatabaseConfig of(String url, String user, String password) {
        return new DatabaseConfig(
                url,
                user,
                password,
                NO_CREDENTIALS,
                Owner.NONE,
                Tls.USUAL,
                16,
                Pool.USUAL,
                Duration.ofSeconds(30),
                Duration.ofSeconds(10));
    }

    public DatabaseConfig withPoolSize(int connections) {
        return with(url, user, password, credentials, owner, connections);
    }

    /** As {@code config} has it, but at another place. */
    public DatabaseConfig at(String otherUrl, String otherUser, String otherPassword) {
        return with(otherUrl, otherUser, otherPassword, credentials, owner, poolSize);
    }

    /** With the schemas owned by another role. */
    public DatabaseConfig ownedBy(String ownerUser, String ownerPassword) {
        var other = new Owner(ownerUser, ownerPassword, NO_CREDENTIALS);
        return with(url, user, password, credentials, other, poolSize);
    }

    /** How the owner of the schemas connects. */
    public DatabaseConfig asOwner() {
        return owner.isConfigured()
                ? with(url, owner.user(), owner.password(), owner.credentials(), owner, poolSize)
                : this;
    }

    private DatabaseConfig with(
            String otherUrl,
            String otherUser,
            String otherPassword,
            VaultCredentials otherCredentials,
            Owner otherOwner,
            int connections) {
        return new DatabaseConfig(
                otherUrl,
                otherUser,
                otherPassword,
                otherCredentials,
                otherOwner,
                tls,
                connections,
                pool,
                statementTimeout,
                idleInTransactionTimeout);
    }

    /** The role and password to connect with now. */
    Login login() {
        return credentials.login().orElseGet(() -> new Login(user, password));
    }

    /** The credentials that are in Vault. */
    public List<VaultCredentials> inVault() {
        return Stream.of(credentials, owner.credentials())
                .filter(VaultCredentials::isConfigured)
                .toList();
    }

    /**
     * Takes the credentials that are in Vault, if there are any, and keeps them valid until the answer is closed.
     *
     * @param environment has Vault's own variables
     */
    public Subscription keepCredentials(Map<String, String> environment) {
        var all = inVault();
        if (all.isEmpty()) {
            return () -> {};
        }
        if (url.isEmpty()) {
            throw new DatabaseException(Text.of("server.start.vault-without-url"));
        }
        try {
            return Vault.keep(environment, all);
        } catch (IOException e) {
            throw new DatabaseException(
                    Text.of("server.start.no-credentials", "reason", String.valueOf(e.getMessage())), e);
        }
    }

    private static void requirePositive(String key, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(key + " must be longer than nothing");
        }
    }
}
