package io.hiroba.inbox.fanout;

import io.hiroba.inbox.ResourceType;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of resources: the columns that all types have. */
final class ResourceStore {

    private static final String SELECT = """
            SELECT r.id, r.type, r.connection_id, r.namespace_id, r.external_id, r.title, r.url, r.state, r.changed_at,
                   coalesce(note.target_id, r.id) AS root_id
            FROM inbox.resources r
            LEFT JOIN inbox.notes note ON note.id = r.id
            """;

    /** Returns whether it is new. */
    boolean insert(Tx tx, long id, ResourceSnapshot snapshot) {
        return tx.update("""
                                INSERT INTO inbox.resources
                                    (id, type, connection_id, namespace_id, external_id, title, url, state,
                                     work_item_type, changed_at)
                                VALUES (:id, :type, :connection, :namespace, :external, :title, :url, :state,
                                        :workItemType, :changed)
                                ON CONFLICT (connection_id, type, external_id) DO NOTHING
                                """)
                        .bind("id", id)
                        .bind("type", snapshot.details().type().code())
                        .bind("connection", snapshot.connection().value())
                        .bind("namespace", snapshot.namespace().value())
                        .bind("external", snapshot.externalId())
                        .bind("title", snapshot.title())
                        .bind("url", snapshot.url())
                        .bind("state", snapshot.state())
                        .bind("workItemType", workItemType(snapshot))
                        .bind("changed", snapshot.changedAt())
                        .execute()
                == 1;
    }

    /**
     * Locks a resource until the transaction ends, so that it is not notified about and resolved at the same time. The target
     * of a comment is locked before the comment, as in an upsert.
     *
     * @return whether the resource still exists
     */
    boolean lock(Tx tx, Resource resource) {
        return lock(tx, List.of(resource.root(), resource.id())).contains(resource.id());
    }

    /**
     * Locks resources with the targets of those that are comments; returns the ones that still exist. What is written about them next
     * joins tables of many partitions, and planning that takes ten times as long as doing it: the transaction keeps to plans that are made
     * once.
     */
    List<ResourceId> lock(Tx tx, Collection<ResourceId> resources) {
        return tx.query("""
                        SELECT r.id, set_config('plan_cache_mode', 'force_generic_plan', true)
                        FROM inbox.resources r
                        LEFT JOIN inbox.notes note ON note.id = r.id
                        WHERE r.id = ANY (:ids)
                           OR r.id = ANY (ARRAY(SELECT target_id FROM inbox.notes WHERE id = ANY (:ids)))
                        ORDER BY coalesce(note.target_id, r.id), note.target_id IS NOT NULL, r.id
                        FOR NO KEY UPDATE OF r
                        """)
                .bindArray("ids", Long.class, resources, ResourceId::value)
                .map(row -> new ResourceId(row.getLong("id")))
                .list();
    }

    Optional<Resource> lock(Tx tx, ConnectionId connection, ResourceType type, String externalId) {
        return tx.query(SELECT + """
                        WHERE r.connection_id = :connection AND r.type = :type AND r.external_id = :external
                        FOR UPDATE OF r
                        """)
                .bind("connection", connection.value())
                .bind("type", type.code())
                .bind("external", externalId)
                .map(row -> resource(row))
                .findOne();
    }

    Optional<Resource> find(Reads reads, ResourceId id) {
        return reads.query(SELECT + "WHERE r.id = :id")
                .bind("id", id.value())
                .map(row -> resource(row))
                .findOne();
    }

    Optional<Resource> find(Reads reads, ConnectionId connection, ResourceType type, String externalId) {
        return reads.query(SELECT + """
                        WHERE r.connection_id = :connection AND r.type = :type AND r.external_id = :external
                        """)
                .bind("connection", connection.value())
                .bind("type", type.code())
                .bind("external", externalId)
                .map(row -> resource(row))
                .findOne();
    }

    void update(Tx tx, Resource found, ResourceSnapshot snapshot) {
        tx.update("""
                        UPDATE inbox.resources
                        SET namespace_id = :namespace, title = :title, url = coalesce(:url, url), state = :state,
                            work_item_type = :workItemType, changed_at = :changed
                        WHERE id = :id
                        """)
                .bind("namespace", snapshot.namespace().value())
                .bind("title", snapshot.title())
                .bind("url", snapshot.url())
                .bind("state", snapshot.state())
                .bind("workItemType", workItemType(snapshot))
                .bind("changed", snapshot.changedAt())
                .bind("id", found.id().value())
                .execute();
        if (!snapshot.namespace().equals(found.namespace())) {
            move(tx, found, snapshot.namespace());
        }
    }

    /** Items move with their resource. */
    private static void move(Tx tx, Resource found, NamespaceId namespace) {
        tx.update("""
                        UPDATE inbox.notifications n SET namespace_id = :namespace
                        FROM %s link
                        WHERE link.resource_id = :resource
                          AND n.user_id = link.user_id AND n.id = link.notification_id
                        """.formatted(found.type().links()))
                .bind("namespace", namespace.value())
                .bind("resource", found.id().value())
                .execute();
    }

    /** Comments are deleted first: the foreign key would leave them without a target. */
    boolean delete(Tx tx, ResourceId id) {
        tx.update("""
                        DELETE FROM inbox.resources
                        WHERE id IN (SELECT note.id FROM inbox.notes note WHERE note.target_id = :id)
                        """).bind("id", id.value()).execute();
        return tx.update("DELETE FROM inbox.resources WHERE id = :id")
                        .bind("id", id.value())
                        .execute()
                == 1;
    }

    private static @Nullable String workItemType(ResourceSnapshot snapshot) {
        return snapshot.details() instanceof ResourceDetails.Issue issue ? issue.workItemType() : null;
    }

    private static Resource resource(ResultSet row) throws SQLException {
        return new Resource(
                new ResourceId(row.getLong("id")),
                ResourceType.of(row.getInt("type")),
                new ConnectionId(row.getLong("connection_id")),
                new NamespaceId(row.getLong("namespace_id")),
                row.getString("external_id"),
                row.getString("title"),
                row.getString("url"),
                row.getString("state"),
                Columns.instant(row, "changed_at"),
                new ResourceId(row.getLong("root_id")));
    }
}
