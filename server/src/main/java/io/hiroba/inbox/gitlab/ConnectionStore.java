package io.hiroba.inbox.gitlab;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of connections to GitLab instances. */
final class ConnectionStore {

    private static final String SELECT = """
            SELECT id, name, linking, enabled, created_at
            FROM inbox.connections
            WHERE kind = 'gitlab'
            """;

    /** The columns by which a webhook call is authenticated. */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
    record Credential(byte[] secretHash, boolean enabled) {}

    Optional<Credential> credential(Reads reads, ConnectionId id) {
        return reads.query("SELECT secret_hash, enabled FROM inbox.connections WHERE id = :id AND kind = 'gitlab'")
                .bind("id", id.value())
                .map(row -> new Credential(row.getBytes("secret_hash"), row.getBoolean("enabled")))
                .findOne();
    }

    void insert(Tx tx, ConnectionId id, String name, AccountLinking linking, WebhookSecret secret, UserId by) {
        tx.update("""
                        INSERT INTO inbox.connections (id, kind, name, secret_hash, linking, created_by)
                        VALUES (:id, 'gitlab', :name, :hash, :linking, :by)
                        """)
                .bind("id", id.value())
                .bind("name", name)
                .bind("hash", secret.hash())
                .bind("linking", linking.text())
                .bind("by", by.value())
                .execute();
    }

    List<Connection> list(Reads reads) {
        return reads.query(SELECT + "ORDER BY id").map(row -> connection(row)).list();
    }

    Optional<Connection> find(Reads reads, ConnectionId id) {
        return reads.query(SELECT + "AND id = :id")
                .bind("id", id.value())
                .map(row -> connection(row))
                .findOne();
    }

    /** Changes the fields that are not null. */
    void update(
            Tx tx,
            ConnectionId id,
            @Nullable String name,
            @Nullable Boolean enabled,
            @Nullable AccountLinking linking) {
        tx.update("""
                        UPDATE inbox.connections
                        SET name = coalesce(:name, name), enabled = coalesce(:enabled, enabled),
                            linking = coalesce(:linking, linking)
                        WHERE id = :id AND kind = 'gitlab'
                        """)
                .bind("name", name)
                .bind("enabled", enabled)
                .bind("linking", linking == null ? null : linking.text())
                .bind("id", id.value())
                .execute();
    }

    void setSecret(Tx tx, ConnectionId id, WebhookSecret secret) {
        tx.update("UPDATE inbox.connections SET secret_hash = :hash WHERE id = :id AND kind = 'gitlab'")
                .bind("hash", secret.hash())
                .bind("id", id.value())
                .execute();
    }

    boolean delete(Tx tx, ConnectionId id) {
        return tx.update("DELETE FROM inbox.connections WHERE id = :id AND kind = 'gitlab'")
                        .bind("id", id.value())
                        .execute()
                == 1;
    }

    private static Connection connection(ResultSet row) throws SQLException {
        return new Connection(
                new ConnectionId(row.getLong("id")),
                row.getString("name"),
                AccountLinking.parse(row.getString("linking")),
                row.getBoolean("enabled"),
                Columns.instant(row, "created_at"));
    }
}
