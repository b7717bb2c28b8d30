package io.hiroba.inbox.fanout;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of namespaces. */
final class NamespaceStore {

    /**
     * A row.
     *
     * @param pathKnown whether it is at its path; otherwise the path is only what it is called
     * @param pathAt as of when it is there; null if that is unknown
     * @param matchedByName whether its external id was found by its name alone
     */
    record Row(
            Namespace namespace,
            @Nullable String externalId,
            boolean pathKnown,
            @Nullable Instant pathAt,
            boolean matchedByName) {

        NamespaceId id() {
            return namespace.id();
        }

        String path() {
            return namespace.path();
        }

        boolean isAt(String path) {
            return pathKnown && namespace.path().equals(path);
        }
    }

    private static final String SELECT = """
            SELECT id, connection_id, path, name, external_id, path_known, path_at, matched_by_name
            FROM inbox.namespaces
            """;

    Optional<Namespace> find(Reads reads, NamespaceId id) {
        return row(reads.query(
                                SELECT
                                        + "WHERE id = coalesce((SELECT namespace_id FROM inbox.namespace_aliases WHERE id = :id), :id)")
                        .bind("id", id.value()))
                .map(Row::namespace);
    }

    Optional<Row> find(Reads reads, ConnectionId connection, String path) {
        return row(reads.query(SELECT + "WHERE connection_id = :connection AND path = :path AND path_known")
                .bind("connection", connection.value())
                .bind("path", path));
    }

    Optional<Row> findExternal(Reads reads, ConnectionId connection, String externalId) {
        return row(reads.query(SELECT + "WHERE connection_id = :connection AND external_id = :external")
                .bind("connection", connection.value())
                .bind("external", externalId));
    }

    /**
     * Finds a namespace at its path and keeps it from being deleted or merged until the transaction ends.
     *
     * @param externalId the one that it must have; null for any
     */
    Optional<Namespace> hold(Tx tx, ConnectionId connection, String path, @Nullable String externalId) {
        return row(tx.query(SELECT + """
                        WHERE connection_id = :connection AND path = :path AND path_known
                          AND (CAST(:external AS TEXT) IS NULL OR (external_id = :external AND NOT matched_by_name))
                        FOR KEY SHARE
                        """)
                        .bind("connection", connection.value())
                        .bind("path", path)
                        .bind("external", externalId))
                .map(Row::namespace);
    }

    /** As above, by its external id alone. */
    Optional<Row> hold(Tx tx, ConnectionId connection, String externalId) {
        return row(tx.query(SELECT + "WHERE connection_id = :connection AND external_id = :external FOR KEY SHARE")
                .bind("connection", connection.value())
                .bind("external", externalId));
    }

    /** Locks the tree of a connection until the transaction ends: namespaces are created, moved and merged one by one. */
    void lockTree(Tx tx, ConnectionId connection) {
        tx.lock("inbox.namespaces", connection.hex());
    }

    /** The namespaces of this name at a known path that nobody knows the external id of. */
    List<Row> unidentified(Reads reads, ConnectionId connection, String name) {
        return named(reads, connection, name, "external_id IS NULL AND path_known");
    }

    /** The groups of this name whose path nobody knows. */
    List<Row> unplaced(Reads reads, ConnectionId connection, String name) {
        return named(reads, connection, name, "external_id LIKE 'group:%' AND NOT path_known");
    }

    /** The group of this name whose external id was found by that alone. */
    Optional<Row> matchedByName(Reads reads, ConnectionId connection, String name) {
        return named(reads, connection, name, "matched_by_name").stream().findFirst();
    }

    private static List<Row> named(Reads reads, ConnectionId connection, String name, String condition) {
        return reads.query(SELECT + "WHERE connection_id = :connection AND name = :name AND " + condition
                        + " ORDER BY id LIMIT 2")
                .bind("connection", connection.value())
                .bind("name", name)
                .map(row -> map(row))
                .list();
    }

    void insert(
            Tx tx, Namespace namespace, @Nullable NamespaceId parent, @Nullable String externalId, boolean pathKnown) {
        tx.update("""
                        INSERT INTO inbox.namespaces (id, connection_id, parent_id, external_id, path, name, path_known)
                        VALUES (:id, :connection, :parent, :external, :path, :name, :known)
                        """)
                .bind("id", namespace.id().value())
                .bind("connection", namespace.connection().value())
                .bind("parent", value(parent))
                .bind("external", externalId)
                .bind("path", namespace.path())
                .bind("name", namespace.name())
                .bind("known", pathKnown)
                .execute();
    }

    void setExternalId(Tx tx, NamespaceId id, @Nullable String externalId, boolean matchedByName) {
        tx.update("UPDATE inbox.namespaces SET external_id = :external, matched_by_name = :matched WHERE id = :id")
                .bind("external", externalId)
                .bind("matched", matchedByName)
                .bind("id", id.value())
                .execute();
    }

    /** Puts a namespace where it is; its resource, if it is one, is called after it. */
    void place(Tx tx, NamespaceId id, String path, String name, @Nullable NamespaceId parent, @Nullable Instant at) {
        tx.update("""
                        UPDATE inbox.namespaces
                        SET path = :path, name = :name, parent_id = :parent, path_known = TRUE,
                            path_at = greatest(path_at, :at)
                        WHERE id = :id
                        """)
                .bind("path", path)
                .bind("name", name)
                .bind("parent", value(parent))
                .bind("at", at)
                .bind("id", id.value())
                .execute();
        tx.update("""
                        UPDATE inbox.resources SET title = :path
                        WHERE id = (SELECT id FROM inbox.namespace_resources WHERE subject_id = :id) AND title <> :path
                        """).bind("path", path).bind("id", id.value()).execute();
    }

    /** Takes a namespace from its path, for another that is there now. */
    void displace(Tx tx, NamespaceId id) {
        tx.update("UPDATE inbox.namespaces SET path_known = FALSE WHERE id = :id")
                .bind("id", id.value())
                .execute();
    }

    /** The namespaces below, each after its parent. */
    List<Row> below(Reads reads, NamespaceId id) {
        return reads.query("""
                        WITH RECURSIVE below AS (
                            SELECT n.id FROM inbox.namespaces n WHERE n.parent_id = :id
                            UNION
                            SELECT n.id FROM inbox.namespaces n JOIN below ON n.parent_id = below.id
                        )
                        """ + SELECT + "WHERE id IN (SELECT id FROM below) ORDER BY length(path), path, id")
                .bind("id", id.value())
                .map(row -> map(row))
                .list();
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
                            SELECT id FROM inbox.namespaces
                            WHERE id = coalesce((SELECT namespace_id FROM inbox.namespace_aliases WHERE id = :id), :id)
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

    private static @Nullable Long value(@Nullable NamespaceId id) {
        return id == null ? null : id.value();
    }

    private static Optional<Row> row(Query query) {
        return query.map(row -> map(row)).findOne();
    }

    private static Row map(ResultSet row) throws SQLException {
        var namespace = new Namespace(
                new NamespaceId(row.getLong("id")),
                new ConnectionId(row.getLong("connection_id")),
                row.getString("path"),
                row.getString("name"));
        return new Row(
                namespace,
                row.getString("external_id"),
                row.getBoolean("path_known"),
                Columns.instantOrNull(row, "path_at"),
                row.getBoolean("matched_by_name"));
    }
}
