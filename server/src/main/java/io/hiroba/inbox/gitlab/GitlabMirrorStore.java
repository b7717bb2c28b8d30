package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.Namespace;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/** Rows of the groups, projects and work items of GitLab, by their external ids. */
final class GitlabMirrorStore {

    Optional<Namespace> find(Reads reads, ConnectionId connection, String externalId) {
        return reads.query("""
                        SELECT id, path, name
                        FROM inbox.namespaces
                        WHERE connection_id = :connection AND external_id = :external
                        """)
                .bind("connection", connection.value())
                .bind("external", externalId)
                .map(row -> new Namespace(
                        new NamespaceId(row.getLong("id")), connection, row.getString("path"), row.getString("name")))
                .findOne();
    }

    /** The time of the last change to a resource in the namespace. */
    Optional<Instant> lastChange(Reads reads, NamespaceId id) {
        return reads.query("""
                        SELECT changed_at FROM inbox.resources WHERE namespace_id = :id
                        ORDER BY changed_at DESC LIMIT 1
                        """)
                .bind("id", id.value())
                .map(row -> Columns.instant(row, "changed_at"))
                .findOne();
    }

    boolean isDeleted(Reads reads, ConnectionId connection, String externalId) {
        return reads.query("""
                        SELECT EXISTS (SELECT FROM inbox.deleted_namespaces
                                       WHERE connection_id = :connection AND external_id = :external)
                        """)
                .bind("connection", connection.value())
                .bind("external", externalId)
                .mapTo(Boolean.class)
                .one();
    }

    void markDeleted(Tx tx, ConnectionId connection, Collection<NamespaceId> namespaces) {
        tx.update("""
                        INSERT INTO inbox.deleted_namespaces (connection_id, external_id)
                        SELECT connection_id, external_id FROM inbox.namespaces
                        WHERE connection_id = :connection AND id = ANY (:ids) AND external_id IS NOT NULL
                        ORDER BY external_id
                        ON CONFLICT DO NOTHING
                        """)
                .bind("connection", connection.value())
                .bindArray("ids", Long.class, namespaces, NamespaceId::value)
                .execute();
    }

    void markDeleted(Tx tx, ConnectionId connection, String externalId) {
        tx.update("""
                        INSERT INTO inbox.deleted_namespaces (connection_id, external_id) VALUES (:connection, :external)
                        ON CONFLICT DO NOTHING
                        """)
                .bind("connection", connection.value())
                .bind("external", externalId)
                .execute();
    }

    Optional<String> workItemType(Reads reads, ConnectionId connection, String externalId) {
        return reads.query("""
                        SELECT work_item_type
                        FROM inbox.resources
                        WHERE connection_id = :connection AND type = :type AND external_id = :external
                        """)
                .bind("connection", connection.value())
                .bind("type", ResourceType.ISSUE.code())
                .bind("external", externalId)
                .mapTo(String.class)
                .findOne();
    }

    /** An empty description is none. */
    void describe(Tx tx, ResourceId id, String description) {
        if (description.isEmpty()) {
            tx.update("DELETE FROM inbox.resource_descriptions WHERE resource_id = :id")
                    .bind("id", id.value())
                    .execute();
            return;
        }
        tx.update("""
                        INSERT INTO inbox.resource_descriptions AS d (resource_id, description) VALUES (:id, :description)
                        ON CONFLICT (resource_id) DO UPDATE SET description = excluded.description
                        WHERE d.description <> excluded.description
                        """).bind("id", id.value()).bind("description", description).execute();
    }
}
