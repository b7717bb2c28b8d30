package io.hiroba.inbox.resources;

import io.hiroba.inbox.ResourceType;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What all resources have in common, in the database. */
final class ResourceStore {

    private static final String SELECT = """
            SELECT r.id, r.type, r.connection_id, r.namespace_id, r.external_id, r.title, r.url, r.state, r.changed_at,
                   coalesce(note.target_id, r.id) AS root_id
            FROM inbox.resources r
            LEFT JOIN inbox.notes note ON note.id = r.id
            """;

    /** Answers whether it is new. */
    boolean insert(Tx tx, long id, Told told) {
        return tx.update("""
                                INSERT INTO inbox.resources
                                    (id, type, connection_id, namespace_id, external_id, title, url, state,
                                     work_item_type, changed_at)
                                VALUES (:id, :type, :connection, :namespace, :external, :title, :url, :state,
                                        :workItemType, :changed)
                                ON CONFLICT (connection_id, type, external_id) DO NOTHING
                                """)
                        .bind("id", id)
                        .bind("type", told.details().type().code())
                        .bind("connection", told.connection().value())
                        .bind("namespace", told.namespace().value())
                        .bind("external", told.externalId())
                        .bind("title", told.title())
                        .bind("url", told.url())
                        .bind("state", told.state())
                        .bind("workItemType", workItemType(told))
                        .bind("changed", time(told.changedAt()))
                        .execute()
                == 1;
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

    void update(Tx tx, Resource found, Told told) {
        tx.update("""
                        UPDATE inbox.resources
                        SET namespace_id = :namespace, title = :title, url = coalesce(:url, url), state = :state,
                            work_item_type = :workItemType, changed_at = :changed
                        WHERE id = :id
                        """)
                .bind("namespace", told.namespace().value())
                .bind("title", told.title())
                .bind("url", told.url())
                .bind("state", told.state())
                .bind("workItemType", workItemType(told))
                .bind("changed", time(told.changedAt()))
                .bind("id", found.id().value())
                .execute();
        if (!told.namespace().equals(found.namespace())) {
            move(tx, found, told.namespace());
        }
    }

    /** Items go along when what they are about moves to another namespace. */
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

    /** Comments first: what they are comments on goes with the row itself, and they would stay as comments on nothing. */
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

    private static @Nullable String workItemType(Told told) {
        return told.details() instanceof Details.Issue issue ? issue.workItemType() : null;
    }

    private static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
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
                row.getObject("changed_at", OffsetDateTime.class).toInstant(),
                new ResourceId(row.getLong("root_id")));
    }
}
