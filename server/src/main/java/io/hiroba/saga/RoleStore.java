package io.hiroba.saga;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The table roles. */
final class RoleStore {

    Optional<Role> find(Reads reads, UserId user) {
        return reads.query("SELECT role FROM saga.roles WHERE user_id = :user")
                .bind("user", user.value())
                .map((row, ctx) -> role(row.getString("role")))
                .findOne();
    }

    List<Roles.Grant> list(Reads reads) {
        return reads.query("""
                SELECT r.user_id, u.nickname, r.role, r.granted_at
                FROM saga.roles AS r
                JOIN accounts.user_card AS u ON u.id = r.user_id
                ORDER BY u.nickname, r.user_id
                """)
                .map((row, ctx) -> new Roles.Grant(
                        new UserId(row.getLong("user_id")),
                        row.getString("nickname"),
                        role(row.getString("role")),
                        row.getTimestamp("granted_at").toInstant()))
                .list();
    }

    void grant(Tx tx, UserId user, Role role, UserId by) {
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

    private static Role role(String text) {
        return Role.valueOf(text.toUpperCase(Locale.ROOT));
    }
}
