package io.hiroba.inbox.people;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.resources.PersonId;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Somebody elsewhere who has a name that is spoken of.
 *
 * @param open whether their GitLab's names may be had for the asking
 */
record Namesake(
        PersonId id, @Nullable UserId user, @Nullable String email, boolean open) {

    static Namesake of(ResultSet row) throws SQLException {
        long user = row.getLong("user_id");
        var account = row.wasNull() ? null : new UserId(user);
        return new Namesake(new PersonId(row.getLong("id")), account, row.getString("email"), row.getBoolean("open"));
    }

    boolean isAnotherThan(UserId other) {
        return user != null && !user.equals(other);
    }
}
