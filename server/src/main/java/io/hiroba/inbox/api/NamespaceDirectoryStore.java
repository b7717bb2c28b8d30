package io.hiroba.inbox.api;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.Namespace;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.util.List;

/** Finds namespaces by the beginning of their paths. */
final class NamespaceDirectoryStore {

    private static final String PAGE = """
            WHERE starts_with(lower(n.path), lower(:prefix)) AND (n.path COLLATE platform.names, n.id) > (:path, :id)
            ORDER BY n.path COLLATE platform.names, n.id
            LIMIT :limit
            """;

    List<Namespace> all(Reads reads, String prefix, NamespaceDirectory.Position after, int limit) {
        return page(
                reads.query("SELECT n.id, n.connection_id, n.path, n.name FROM inbox.namespaces n " + PAGE),
                prefix,
                after,
                limit);
    }

    List<Namespace> of(Reads reads, UserId user, String prefix, NamespaceDirectory.Position after, int limit) {
        return page(reads.query("""
                                WITH RECURSIVE mine AS (
                                    SELECT n.id, n.parent_id
                                    FROM inbox.namespaces n
                                    WHERE EXISTS (SELECT FROM inbox.notifications i
                                                  WHERE i.namespace_id = n.id AND i.user_id = :user)
                                    UNION
                                    SELECT n.id, n.parent_id
                                    FROM inbox.namespaces n JOIN mine ON n.id = mine.parent_id
                                )
                                SELECT n.id, n.connection_id, n.path, n.name
                                FROM mine JOIN inbox.namespaces n ON n.id = mine.id
                                """ + PAGE).bind("user", user.value()), prefix, after, limit);
    }

    private static List<Namespace> page(Query query, String prefix, NamespaceDirectory.Position after, int limit) {
        return query.bind("prefix", prefix)
                .bind("path", after.path())
                .bind("id", after.id().value())
                .bind("limit", limit)
                .map(row -> new Namespace(
                        new NamespaceId(row.getLong("id")),
                        new ConnectionId(row.getLong("connection_id")),
                        row.getString("path"),
                        row.getString("name")))
                .list();
    }
}
