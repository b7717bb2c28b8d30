package io.hiroba.platform.db;

import io.hiroba.platform.ProgramVersion;
import io.hiroba.platform.db.DatabaseConfig.Tls.Mode;
import io.hiroba.platform.vault.VaultCredentials.Login;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A source of connections that log in as the configuration says at that moment. */
final class LoginDataSource implements DataSource {

    private final DatabaseConfig config;
    private final boolean isLimited;
    private volatile int loginTimeout = 5;

    /** @param isLimited whether statements and transactions have the limits of requests */
    LoginDataSource(DatabaseConfig config, boolean isLimited) {
        this.config = config;
        this.isLimited = isLimited;
    }

    @Override
    public Connection getConnection() throws SQLException {
        var login = config.login();
        try {
            var connection = connect(login);
            if (config.login().equals(login)) {
                return connection;
            }
            // Changed meanwhile, so that the pool's connections of the former login are closed already.
            connection.close();
            return connect(config.login());
        } catch (SQLException e) {
            if (!SqlState.isLoginRefused(e)) {
                throw e;
            }
            // Vault sets a password without a word to those who use it.
            if (config.credentials().isReplaced(login)) {
                return connect(config.login());
            }
            return connectAsBefore(e);
        }
    }

    /** Somebody may have changed the secret in Vault, and not the role's password yet. */
    private Connection connectAsBefore(SQLException refusal) throws SQLException {
        var former = config.credentials().former();
        if (former.isEmpty()) {
            throw refusal;
        }
        try {
            return connect(former.get());
        } catch (SQLException e) {
            refusal.addSuppressed(e);
            throw refusal;
        }
    }

    private Connection connect(Login login) throws SQLException {
        var properties = new Properties();
        properties.put("ApplicationName", "hiroba " + ProgramVersion.CURRENT);
        properties.put("logServerErrorDetail", "false");
        if (isLimited) {
            properties.putAll(limits());
        }
        if (!login.user().isEmpty()) {
            properties.put("user", login.user());
            properties.put("password", login.password());
        }
        if (config.tls().mode() != Mode.PREFER) {
            properties.put("sslmode", config.tls().mode().code());
        }
        if (!config.tls().ca().toString().isEmpty()) {
            properties.put("sslrootcert", config.tls().ca().toString());
        }
        return DriverManager.getConnection(config.url(), properties);
    }

    /** The properties of every connection of a node, which one in the URL overrides. */
    private Map<String, String> limits() {
        var timeout = config.statementTimeout();
        return Map.of(
                // The next host of the URL is tried after this long, and the login may take as long as it needs.
                "connectTimeout",
                "2",
                "loginTimeout",
                "10",
                // A database host that vanishes sends nothing, not even that a statement timed out.
                "socketTimeout",
                String.valueOf(timeout.plusSeconds(10).toSeconds()),
                "reWriteBatchedInserts",
                "true",
                "tcpKeepAlive",
                "true",
                "options",
                "-c statement_timeout=%d -c idle_in_transaction_session_timeout=%d -c TimeZone=UTC -c client_min_messages=notice"
                        .formatted(
                                timeout.toMillis(),
                                config.idleInTransactionTimeout().toMillis()));
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the login is the configuration's");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {
        loginTimeout = seconds;
    }

    @Override
    public int getLoginTimeout() {
        return loginTimeout;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("no loggers of its own");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
