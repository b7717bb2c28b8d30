package io.hiroba.saga;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads and writes the granted roles. */
final class SagaRoleStore {

    Optional<SagaRole> find(Reads reads, UserId user) {
        return reads.query("SELECT role FROM saga.roles WHERE user_id = :user")
                .bind("user", user.value())
                .map(row -> role(row.getString("role")))
                .findOne();
    }

    Map<UserId, SagaRole> find(Reads reads, Collection<UserId> users) {
        var found = new HashMap<UserId, SagaRole>();
        reads.query("SELECT user_id, role FROM saga.roles WHERE user_id = ANY (:users)")
                .bindArray("users", Long.class, users, UserId::value)
                .map(row -> found.put(new UserId(row.getLong("user_id")), role(row.getString("role"))))
                .list();
        return found;
    }

    /** At most two. */
    List<UserId> named(Reads reads, String nickname) {
        return reads.query("SELECT id FROM accounts.user_card WHERE lower(nickname) = lower(:nickname) LIMIT 2")
                .bind("nickname", nickname)
                .map(row -> new UserId(row.getLong("id")))
                .list();
    }

    /** The user, if there is one. */
    List<UserId> existing(Reads reads, UserId user) {
        return reads.query("SELECT id FROM accounts.user_card WHERE id = :user")
                .bind("user", user.value())
                .map(row -> new UserId(row.getLong("id")))
                .list();
    }

    List<UserId> withRole(Reads reads, SagaRole role) {
        return reads.query("SELECT user_id FROM saga.roles WHERE role = :role ORDER BY user_id")
                .bind("role", role.name().toLowerCase(Locale.ROOT))
                .map(row -> new UserId(row.getLong("user_id")))
                .list();
    }

    static final String LIST = """
            SELECT page.user_id, u.nickname, page.role, page.granted_at
            FROM (
                SELECT user_id, role, granted_at
                FROM saga.roles
                WHERE user_id > :after
                ORDER BY user_id
                LIMIT :limit) AS page
            JOIN accounts.user_card AS u ON u.id = page.user_id
            ORDER BY page.user_id
            """;

    /** By the ids of the users, after {@code after}. */
    List<SagaRoles.Grant> list(Reads reads, UserId after, int limit) {
        return reads.query(LIST)
                .bind("after", after.value())
                .bind("limit", limit)
                .map(row -> new SagaRoles.Grant(
                        new UserId(row.getLong("user_id")),
                        row.getString("nickname"),
                        role(row.getString("role")),
                        Columns.instant(row, "granted_at")))
                .list();
    }

    void grant(Tx tx, UserId user, SagaRole role, UserId by) {
        tx.update("""
                INSERT INTO saga.roles (user_id, role, granted_by) VALUES (:user, :role, :by)
                ON CONFLICT (user_id) DO UPDATE
                SET role = excluded.role, granted_by = excluded.granted_by, granted_at = now()
                """)
                .bind("user", user.value())
                .bind("role", role.name().toLowerCase(Locale.ROOT))
                .bind("by", by.value())
                .execute();
    }

    boolean revoke(Tx tx, UserId user) {
        return tx.update("DELETE FROM saga.roles WHERE user_id = :user")
                        .bind("user", user.value())
                        .execute()
                == 1;
    }

    private static SagaRole role(String text) {
        return SagaRole.valueOf(text.toUpperCase(Locale.ROOT));
    }
}
