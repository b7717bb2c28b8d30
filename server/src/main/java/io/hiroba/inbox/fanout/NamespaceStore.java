package io.hiroba.inbox.fanout;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of namespaces. */
final class NamespaceStore {

    Optional<Namespace> find(Reads reads, NamespaceId id) {
        return reads.query("SELECT id, connection_id, path, name FROM inbox.namespaces WHERE id = :id")
                .bind("id", id.value())
                .map(row -> namespace(row))
                .findOne();
    }

    Optional<Namespace> find(Reads reads, ConnectionId connection, String path) {
        return reads.query("""
                        SELECT id, connection_id, path, name
                        FROM inbox.namespaces
                        WHERE connection_id = :connection AND path = :path
                        """)
                .bind("connection", connection.value())
                .bind("path", path)
                .map(row -> namespace(row))
                .findOne();
    }

    boolean isKnownAs(Reads reads, NamespaceId id, String externalId) {
        return reads.query("SELECT external_id = :external FROM inbox.namespaces WHERE id = :id")
                .bind("external", externalId)
                .bind("id", id.value())
                .mapTo(Boolean.class)
                .findOne()
                .orElse(false);
    }

    void insert(Tx tx, Namespace namespace, @Nullable NamespaceId parent) {
        tx.update("""
                        INSERT INTO inbox.namespaces (id, connection_id, parent_id, path, name)
                        VALUES (:id, :connection, :parent, :path, :name)
                        ON CONFLICT (connection_id, path) DO NOTHING
                        """)
                .bind("id", namespace.id().value())
                .bind("connection", namespace.connection().value())
                .bind("parent", parent == null ? null : parent.value())
                .bind("path", namespace.path())
                .bind("name", namespace.name())
                .execute();
    }

    /** Moves the namespace with this external id to its path, or inserts it. Another one at the path is renamed. */
    Namespace upsert(Tx tx, Namespace wanted, @Nullable NamespaceId parent, String externalId) {
        tx.update("""
                        UPDATE inbox.namespaces SET path = left(path, 470) || ' (' || external_id || ')'
                        WHERE connection_id = :connection AND path = :path AND external_id <> :external
                        """)
                .bind("connection", wanted.connection().value())
                .bind("path", wanted.path())
                .bind("external", externalId)
                .execute();
        var known = tx.query("""
                        UPDATE inbox.namespaces SET path = :path, name = :name, parent_id = :parent
                        WHERE connection_id = :connection AND external_id = :external
                          AND NOT EXISTS (SELECT FROM inbox.namespaces other
                                          WHERE other.connection_id = :connection AND other.path = :path
                                            AND other.external_id IS NULL)
                        RETURNING id, connection_id, path, name
                        """)
                .bind("connection", wanted.connection().value())
                .bind("path", wanted.path())
                .bind("name", wanted.name())
                .bind("parent", parent == null ? null : parent.value())
                .bind("external", externalId)
                .map(row -> namespace(row))
                .findOne();
        return known.orElseGet(() -> tx.query("""
                        INSERT INTO inbox.namespaces AS n (id, connection_id, parent_id, external_id, path, name)
                        VALUES (:id, :connection, :parent,
                                CASE WHEN EXISTS (SELECT FROM inbox.namespaces
                                                  WHERE connection_id = :connection AND external_id = :external)
                                     THEN NULL ELSE :external END,
                                :path, :name)
                        ON CONFLICT (connection_id, path)
                            DO UPDATE SET external_id = coalesce(n.external_id, excluded.external_id)
                        RETURNING id, connection_id, path, name
                        """)
                .bind("id", wanted.id().value())
                .bind("connection", wanted.connection().value())
                .bind("parent", parent == null ? null : parent.value())
                .bind("external", externalId)
                .bind("path", wanted.path())
                .bind("name", wanted.name())
                .map(row -> namespace(row))
                .one());
    }

    List<NamespaceId> lineage(Reads reads, NamespaceId id) {
        return reads.query("""
                        WITH RECURSIVE above AS (
                            SELECT id, parent_id, 0 AS height FROM inbox.namespaces WHERE id = :id
                            UNION ALL
                            SELECT n.id, n.parent_id, above.height + 1
                            FROM inbox.namespaces n JOIN above ON n.id = above.parent_id
                            WHERE above.height < 30
                        )
                        SELECT id FROM above ORDER BY height
                        """)
                .bind("id", id.value())
                .map(row -> new NamespaceId(row.getLong("id")))
                .list();
    }

    List<NamespaceId> within(Reads reads, NamespaceId id) {
        return reads.query("""
                        WITH RECURSIVE below AS (
                            SELECT id FROM inbox.namespaces WHERE id = :id
                            UNION
                            SELECT n.id FROM inbox.namespaces n JOIN below ON n.parent_id = below.id
                        )
                        SELECT id FROM below
                        """)
                .bind("id", id.value())
                .map(row -> new NamespaceId(row.getLong("id")))
                .list();
    }

    void delete(Tx tx, NamespaceId id) {
        tx.update("DELETE FROM inbox.namespaces WHERE id = :id")
                .bind("id", id.value())
                .execute();
    }

    private static Namespace namespace(ResultSet row) throws SQLException {
        return new Namespace(
                new NamespaceId(row.getLong("id")),
                new ConnectionId(row.getLong("connection_id")),
                row.getString("path"),
                row.getString("name"));
    }
}
