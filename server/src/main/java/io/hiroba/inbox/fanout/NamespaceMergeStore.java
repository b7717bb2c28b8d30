package io.hiroba.inbox.fanout;

import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Moves everything that points at one namespace to another. Rows are locked in the order of namespaces, members, resources
 * and items, as those who create items do.
 */
final class NamespaceMergeStore {

    private static final List<String> MOVES = List.of(
            """
            INSERT INTO inbox.members AS m (namespace_id, person_id, access, changed_at, leaves_at, has_left)
            SELECT :into, person_id, access, changed_at, leaves_at, has_left
            FROM inbox.members WHERE namespace_id = :from
            ORDER BY person_id
            ON CONFLICT (namespace_id, person_id) DO UPDATE
                SET access = excluded.access, changed_at = excluded.changed_at, leaves_at = excluded.leaves_at,
                    has_left = excluded.has_left
                WHERE m.changed_at < excluded.changed_at
                   OR (m.changed_at = excluded.changed_at AND m.access > 0 AND excluded.access = 0)
            """,
            "DELETE FROM inbox.members WHERE namespace_id = :from",
            """
            INSERT INTO inbox.preferences (user_id, namespace_id, action, delivery)
            SELECT user_id, :into, action, delivery FROM inbox.preferences WHERE namespace_id = :from
            ORDER BY user_id, action
            ON CONFLICT DO NOTHING
            """,
            "DELETE FROM inbox.preferences WHERE namespace_id = :from",
            "UPDATE inbox.namespace_aliases SET namespace_id = :into WHERE namespace_id = :from",
            "INSERT INTO inbox.namespace_aliases (id, namespace_id) VALUES (:from, :into)",
            "UPDATE inbox.namespaces SET parent_id = :into WHERE parent_id = :from AND id <> :into");

    private static final List<String> RESOURCE_MOVES = List.of("""
            WITH held AS MATERIALIZED (
                SELECT r.id FROM inbox.resources r
                LEFT JOIN inbox.notes note ON note.id = r.id
                WHERE r.namespace_id = :from
                ORDER BY coalesce(note.target_id, r.id), note.target_id IS NOT NULL, r.id
                FOR NO KEY UPDATE OF r
            )
            UPDATE inbox.resources r SET namespace_id = :into FROM held WHERE r.id = held.id
            """, """
            WITH held AS MATERIALIZED (
                SELECT user_id, id FROM inbox.notifications WHERE namespace_id = :from ORDER BY user_id, id FOR UPDATE
            )
            UPDATE inbox.notifications n SET namespace_id = :into
            FROM held WHERE n.user_id = held.user_id AND n.id = held.id
            """);

    /** Items about the namespace itself; where two ask for the same, the one of the namespace that stays is kept. */
    private static final List<String> ITEM_MOVES = List.of(
            """
            DELETE FROM inbox.notifications n
            WHERE n.resource_id = :from AND n.state < 2 /* not done */ AND n.action NOT IN (2, 7, 10) /* mentions and access requests */
              AND EXISTS (SELECT FROM inbox.notifications twin
                          WHERE twin.user_id = n.user_id AND twin.resource_id = :into AND twin.action = n.action
                            AND twin.state < 2 /* not done */)
            """,
            "UPDATE inbox.notifications SET resource_id = :into WHERE resource_id = :from",
            """
            UPDATE inbox.pending_items w SET resource_id = :into
            WHERE resource_id = :from
              AND NOT EXISTS (SELECT FROM inbox.pending_items twin
                              WHERE twin.person_id = w.person_id AND twin.resource_id = :into AND twin.action = w.action
                                AND twin.action NOT IN (2, 7, 10) /* mentions and access requests */)
            """,
            "DELETE FROM inbox.resources WHERE id = :from");

    void lock(Tx tx, NamespaceId one, NamespaceId other) {
        tx.query("SELECT id FROM inbox.namespaces WHERE id IN (:one, :other) ORDER BY id FOR UPDATE")
                .bind("one", one.value())
                .bind("other", other.value())
                .map(row -> row.getLong("id"))
                .list();
    }

    void setParent(Tx tx, NamespaceId id, Optional<NamespaceId> parent) {
        tx.update("UPDATE inbox.namespaces SET parent_id = :parent WHERE id = :id")
                .bind("parent", parent.map(NamespaceId::value).orElse(null))
                .bind("id", id.value())
                .execute();
    }

    void move(Tx tx, NamespaceId from, NamespaceId into) {
        run(tx, MOVES, from.value(), into.value());
        run(tx, RESOURCE_MOVES, from.value(), into.value());
        moveSubject(tx, from, into);
    }

    /** Revokes anew what those who have left could see in either part. */
    void revokeAgain(Tx tx, NamespaceId id, Instant now) {
        tx.update("""
                        UPDATE inbox.members SET leaves_at = :now
                        WHERE namespace_id = :id AND access = 0 AND has_left AND leaves_at IS NULL
                        """).bind("now", now).bind("id", id.value()).execute();
    }

    /** Moves the members whom the connection itself has stated, and the items about the namespace. */
    void moveMembers(Tx tx, NamespaceId from, NamespaceId into) {
        tx.update("""
                        UPDATE inbox.members m SET namespace_id = :into
                        FROM inbox.people p, inbox.namespaces n
                        WHERE m.namespace_id = :from AND p.id = m.person_id AND n.id = :from
                          AND p.connection_id = n.connection_id
                        """).bind("from", from.value()).bind("into", into.value()).execute();
        subject(tx, from).ifPresent(resource -> {
            run(
                    tx,
                    List.of(
                            "UPDATE inbox.resources SET namespace_id = :into WHERE id = :from",
                            "UPDATE inbox.notifications SET namespace_id = :into WHERE resource_id = :from"),
                    resource,
                    into.value());
            moveSubject(tx, from, into);
        });
    }

    private static void moveSubject(Tx tx, NamespaceId from, NamespaceId into) {
        var moved = subject(tx, from);
        if (moved.isEmpty()) {
            return;
        }
        var kept = subject(tx, into);
        if (kept.isPresent()) {
            run(tx, ITEM_MOVES, moved.get(), kept.get());
            return;
        }
        run(
                tx,
                List.of("UPDATE inbox.namespace_resources SET subject_id = :into WHERE id = :from"),
                moved.get(),
                into.value());
        tx.update("UPDATE inbox.resources SET external_id = :external WHERE id = :id")
                .bind("external", into.hex())
                .bind("id", moved.get())
                .execute();
    }

    /** The id of the namespace as a resource. */
    private static Optional<Long> subject(Tx tx, NamespaceId namespace) {
        return tx.query("SELECT id FROM inbox.namespace_resources WHERE subject_id = :namespace")
                .bind("namespace", namespace.value())
                .mapTo(Long.class)
                .findOne();
    }

    private static void run(Tx tx, List<String> statements, long from, long into) {
        for (var statement : statements) {
            tx.update(statement).bind("from", from).bind("into", into).execute();
        }
    }
}
