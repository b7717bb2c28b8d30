package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlStatement;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** Rows of the preferences and settings of recipients. */
final class InboxPreferenceStore {

    List<InboxPreference> of(Reads reads, UserId user) {
        return reads.query("""
                        SELECT p.namespace_id, n.path, p.action, p.delivery
                        FROM inbox.preferences p
                        LEFT JOIN inbox.namespaces n ON n.id = p.namespace_id
                        WHERE p.user_id = :user
                        ORDER BY n.path COLLATE platform.names NULLS FIRST, n.id, p.action NULLS FIRST
                        """)
                .bind("user", user.value())
                .map(row -> preference(row))
                .list();
    }

    private static InboxPreference preference(ResultSet row) throws SQLException {
        var namespace = row.getObject("namespace_id", Long.class);
        var action = row.getObject("action", Integer.class);
        return new InboxPreference(
                new InboxPreference.Scope(
                        namespace == null ? null : new NamespaceId(namespace),
                        action == null ? null : Action.of(action)),
                row.getString("path"),
                DeliveryMode.find(row.getString("delivery")).orElseThrow());
    }

    int count(Reads reads, UserId user) {
        return reads.query("SELECT count(*) FROM inbox.preferences WHERE user_id = :user")
                .bind("user", user.value())
                .mapTo(Integer.class)
                .one();
    }

    void put(Tx tx, UserId user, InboxPreference.Scope scope, DeliveryMode delivery) {
        scoped(tx.update("""
                        INSERT INTO inbox.preferences (user_id, namespace_id, action, delivery)
                        VALUES (:user, :namespace, :action, :delivery)
                        ON CONFLICT (user_id, namespace_id, action) DO UPDATE SET delivery = excluded.delivery
                        """), user, scope).bind("delivery", delivery.text()).execute();
    }

    void remove(Tx tx, UserId user, InboxPreference.Scope scope) {
        scoped(tx.update("""
                        DELETE FROM inbox.preferences
                        WHERE user_id = :user AND namespace_id IS NOT DISTINCT FROM CAST(:namespace AS BIGINT)
                          AND action IS NOT DISTINCT FROM CAST(:action AS SMALLINT)
                        """), user, scope).execute();
    }

    void clear(Tx tx, UserId user) {
        tx.update("DELETE FROM inbox.preferences WHERE user_id = :user")
                .bind("user", user.value())
                .execute();
    }

    private static <S extends SqlStatement<S>> S scoped(S statement, UserId user, InboxPreference.Scope scope) {
        return statement
                .bind("user", user.value())
                .bind(
                        "namespace",
                        scope.namespace() == null ? null : scope.namespace().value())
                .bind(
                        "action",
                        scope.action() == null
                                ? null
                                : Integer.valueOf(scope.action().code()));
    }

    /** Whether the user has an item or a preference in one of these. */
    boolean isKnown(Reads reads, UserId user, Collection<NamespaceId> namespaces) {
        return reads.query("""
                        SELECT EXISTS (SELECT FROM inbox.notifications
                                       WHERE user_id = :user AND namespace_id = ANY (:namespaces))
                            OR EXISTS (SELECT FROM inbox.preferences
                                       WHERE user_id = :user AND namespace_id = ANY (:namespaces))
                        """)
                .bind("user", user.value())
                .bindArray("namespaces", Long.class, namespaces, NamespaceId::value)
                .mapTo(Boolean.class)
                .one();
    }

    /** Locks the settings of the user until the transaction ends, creating the row if there is none. */
    void lock(Tx tx, UserId user) {
        tx.update("""
                        INSERT INTO inbox.settings AS s (user_id) VALUES (:user)
                        ON CONFLICT (user_id) DO UPDATE SET keep_resolved = s.keep_resolved
                        """).bind("user", user.value()).execute();
    }

    boolean keepsResolved(Reads reads, UserId user) {
        return reads.query("SELECT keep_resolved FROM inbox.settings WHERE user_id = :user")
                .bind("user", user.value())
                .mapTo(Boolean.class)
                .findOne()
                .orElse(false);
    }

    void keepResolved(Tx tx, UserId user, boolean keep) {
        tx.update("""
                        INSERT INTO inbox.settings (user_id, keep_resolved) VALUES (:user, :keep)
                        ON CONFLICT (user_id) DO UPDATE SET keep_resolved = excluded.keep_resolved
                        """).bind("user", user.value()).bind("keep", keep).execute();
    }
}
