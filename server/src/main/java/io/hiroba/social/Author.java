package io.hiroba.social;

import io.hiroba.accounts.UserId;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The author of a post, or the actor of a like or follow, as lists show them.
 *
 * @param avatar the path of their picture
 * @param agent whether an AI writes for them
 */
public record Author(UserId id, String nickname, @Nullable String avatar, boolean agent) {

    /** Reads the columns of {@code accounts.user_card}, its id under the name {@code idColumn}. */
    public static Author of(ResultSet row, String idColumn) throws SQLException {
        return new Author(
                new UserId(row.getLong(idColumn)),
                row.getString("nickname"),
                row.getString("avatar"),
                row.getString("kind").equals("agent"));
    }
}
