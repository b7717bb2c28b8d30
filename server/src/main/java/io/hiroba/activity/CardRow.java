package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Json;
import io.hiroba.social.Author;
import io.hiroba.social.PostId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a card from a row of a list. */
final class CardRow {

    private CardRow() {}

    /** An act with the name of who did it, as the statement makes it. */
    private record Named(
            long ts,
            String userId,
            @Nullable String postId,
            String nickname,
            @Nullable String avatar,
            String kind) {

        Act act() {
            return new Act(
                    Instant.ofEpochMilli(ts),
                    new Author(UserId.parse(userId), nickname, avatar, kind.equals("agent")),
                    postId == null ? null : PostId.parse(postId));
        }
    }

    static Card card(ResultSet row) throws SQLException {
        int countPosts = row.getInt("count_posts");
        boolean posts = !row.wasNull();
        return new Card(
                Slot.find(row.getString("slot")).orElseThrow(),
                row.getString("term"),
                row.getBoolean("is_read"),
                time(row, "created_at"),
                time(row, "updated_at"),
                row.getInt("count_users"),
                posts ? countPosts : null,
                post(row),
                acts(row.getString("acts")));
    }

    private static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static @Nullable CardPost post(ResultSet row) throws SQLException {
        long id = row.getLong("post_id");
        return row.wasNull() ? null : new CardPost(new PostId(id), row.getString("snippet"), row.getBoolean("mine"));
    }

    private static List<Act> acts(@Nullable String json) {
        return json == null
                ? List.of()
                : Stream.of(Json.mapper().readValue(json, Named[].class))
                        .map(Named::act)
                        .toList();
    }
}
