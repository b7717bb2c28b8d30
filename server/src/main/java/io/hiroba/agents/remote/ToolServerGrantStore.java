package io.hiroba.agents.remote;

import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.secrets.EncryptedColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of the grants of servers of tools, and of those that somebody is being asked for. */
final class ToolServerGrantStore {

    static final EncryptedColumn GRANTS =
            new EncryptedColumn("agents.tool_server_connections", "CAST(server_id AS text) || ' ' || url");
    static final EncryptedColumn ATTEMPTS = new EncryptedColumn("agents.tool_server_attempts", "state");

    private static final String COLUMNS = "server_id, url, refresh_at, failure, secret";

    /** The identity of a grant, as the column says. */
    static String row(long server, String url) {
        return server + " " + url;
    }

    /**
     * A grant as it is stored.
     *
     * @param url the address that it is for
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record GrantRow(
            long server,
            String url,
            @Nullable Instant refreshAt,
            @Nullable String failure,
            byte[] secret) {}

    /** The part of a grant that is no secret. */
    record GrantInfo(
            String url,
            String issuer,
            String scope,
            UserId by,
            Instant at,
            @Nullable Instant refreshAt) {}

    void save(Tx tx, long server, GrantInfo info, byte[] secret) {
        tx.update("""
                        INSERT INTO agents.tool_server_connections
                            (server_id, url, issuer, scope, connected_by, connected_at, refresh_at, secret)
                        VALUES (:server, :url, :issuer, :scope, :by, :at, :refreshAt, :secret)
                        ON CONFLICT (server_id) DO UPDATE
                        SET url = excluded.url, issuer = excluded.issuer, scope = excluded.scope,
                            connected_by = excluded.connected_by, connected_at = excluded.connected_at,
                            refresh_at = excluded.refresh_at, failure = NULL, secret = excluded.secret
                        """)
                .bind("server", server)
                .bind("url", info.url())
                .bind("issuer", info.issuer())
                .bind("scope", info.scope())
                .bind("by", info.by().value())
                .bind("at", info.at())
                .bind("refreshAt", info.refreshAt())
                .bind("secret", secret)
                .execute();
    }

    Optional<GrantRow> find(Reads reads, long server) {
        return reads.query("SELECT %s FROM agents.tool_server_connections WHERE server_id = :server".formatted(COLUMNS))
                .bind("server", server)
                .map(ToolServerGrantStore::grant)
                .findOne();
    }

    /** The grant, which nobody else refreshes or ends until {@code tx} ends. */
    Optional<GrantRow> lock(Tx tx, long server) {
        return tx.query("SELECT %s FROM agents.tool_server_connections WHERE server_id = :server FOR UPDATE"
                        .formatted(COLUMNS))
                .bind("server", server)
                .map(ToolServerGrantStore::grant)
                .findOne();
    }

    /** Lets a transaction wait for another server, and for a node that does: the answer must not be lost for being late. */
    void extendTimeouts(Tx tx) {
        tx.query("""
                        SELECT set_config('idle_in_transaction_session_timeout', '60s', true)
                               || set_config('statement_timeout', '60s', true)
                        """).mapTo(String.class).one();
    }

    void refreshed(Tx tx, long server, @Nullable Instant refreshAt, byte[] secret) {
        tx.update("""
                        UPDATE agents.tool_server_connections SET refresh_at = :refreshAt, secret = :secret
                        WHERE server_id = :server
                        """)
                .bind("server", server)
                .bind("refreshAt", refreshAt)
                .bind("secret", secret)
                .execute();
    }

    void fail(Tx tx, long server, String failure) {
        tx.update("UPDATE agents.tool_server_connections SET failure = :failure WHERE server_id = :server")
                .bind("server", server)
                .bind("failure", failure)
                .execute();
    }

    /** Returns whether there was one. */
    boolean delete(Tx tx, long server) {
        return tx.update("DELETE FROM agents.tool_server_connections WHERE server_id = :server")
                        .bind("server", server)
                        .execute()
                == 1;
    }

    private static GrantRow grant(ResultSet row) throws SQLException {
        return new GrantRow(
                row.getLong("server_id"),
                row.getString("url"),
                Columns.instantOrNull(row, "refresh_at"),
                row.getString("failure"),
                row.getBytes("secret"));
    }

    /** An attempt to be kept. */
    record NewAttempt(String state, long server, UserId user, SessionId session, Instant expiresAt) {}

    void begin(Tx tx, NewAttempt attempt, byte[] secret, Instant now) {
        tx.update("DELETE FROM agents.tool_server_attempts WHERE expires_at <= :now")
                .bind("now", now)
                .execute();
        tx.update("""
                        INSERT INTO agents.tool_server_attempts (state, server_id, user_id, session_id, expires_at, secret)
                        VALUES (:state, :server, :user, :session, :expires, :secret)
                        """)
                .bind("state", attempt.state())
                .bind("server", attempt.server())
                .bind("user", attempt.user().value())
                .bind("session", attempt.session().value())
                .bind("expires", attempt.expiresAt())
                .bind("secret", secret)
                .execute();
    }

    /** An attempt that came back. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record AttemptRow(long server, byte[] secret) {}

    /** Takes an attempt of this session, which is good once. */
    Optional<AttemptRow> take(Tx tx, String state, UserId user, SessionId session, Instant now) {
        return tx.query("""
                        DELETE FROM agents.tool_server_attempts
                        WHERE state = :state AND user_id = :user AND session_id = :session AND expires_at > :now
                        RETURNING server_id, secret
                        """)
                .bind("state", state)
                .bind("user", user.value())
                .bind("session", session.value())
                .bind("now", now)
                .map(row -> new AttemptRow(row.getLong("server_id"), row.getBytes("secret")))
                .findOne();
    }
}
