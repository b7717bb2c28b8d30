package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.activity.MutesAndFollows.FollowedPost;
import io.hiroba.activity.MutesAndFollows.ListedPost;
import io.hiroba.activity.MutesAndFollows.MutedPerson;
import io.hiroba.activity.MutesAndFollows.MutedPost;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.RowMapper;
import io.hiroba.social.Author;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import io.hiroba.social.PostId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Lists of mutes and follows: an index scan each, with nicknames and excerpts looked up in the same statement. */
final class MuteFollowListStore {

    private static final String POST = """
            CROSS JOIN LATERAL (
                SELECT o.snippet, o.owned_by FROM social.post_card o
                WHERE o.id = m.post_id
                  AND (SELECT true FROM social.separated s WHERE s.one = :user AND s.other = o.owned_by LIMIT 1) IS NULL
                OFFSET 0) p
            CROSS JOIN LATERAL (
                SELECT a.nickname, a.avatar, a.kind FROM accounts.user_card a WHERE a.id = p.owned_by OFFSET 0) u
            """;

    /** The longest page as a literal, so that the planner knows it. */
    private static final String LIMIT = "LIMIT 101) AS scan LIMIT :limit";

    static final String MUTED_POSTS = """
            SELECT id, since, likes, replies, snippet, owned_by, nickname, avatar, kind FROM (
            SELECT m.post_id AS id, m.created_at AS since, m.likes, m.replies,
                   p.snippet, p.owned_by, u.nickname, u.avatar, u.kind
            FROM activity.muted_posts m
            """ + POST + """
            WHERE m.user_id = :user AND (m.created_at, m.post_id) < (:time, :after)
            ORDER BY m.created_at DESC, m.post_id DESC
            """ + LIMIT;

    static final String FOLLOWED_POSTS = """
            SELECT id, since, snippet, owned_by, nickname, avatar, kind FROM (
            SELECT m.post_id AS id, m.changed_at AS since, p.snippet, p.owned_by, u.nickname, u.avatar, u.kind
            FROM activity.followed_posts m
            """ + POST + """
            WHERE m.user_id = :user AND m.active AND (m.changed_at, m.post_id) < (:time, :after)
            ORDER BY m.changed_at DESC, m.post_id DESC
            """ + LIMIT;

    static final String MUTED_PEOPLE = """
            SELECT id, since, nickname, avatar, kind FROM (
            SELECT m.person_id AS id, m.created_at AS since, u.nickname, u.avatar, u.kind
            FROM activity.muted_people m
            CROSS JOIN LATERAL (
                SELECT a.nickname, a.avatar, a.kind FROM accounts.user_card a WHERE a.id = m.person_id OFFSET 0) u
            WHERE m.user_id = :user AND (m.created_at, m.person_id) < (:time, :after)
            ORDER BY m.created_at DESC, m.person_id DESC
            """ + LIMIT;

    List<Listed<MutedPost>> mutedPosts(Reads reads, UserId reader, Position after, int limit) {
        return list(
                query(reads, MUTED_POSTS, reader, after, limit),
                row -> new MutedPost(post(row), row.getBoolean("likes"), row.getBoolean("replies"), since(row)));
    }

    List<Listed<MutedPerson>> mutedPeople(Reads reads, UserId reader, Position after, int limit) {
        return list(
                query(reads, MUTED_PEOPLE, reader, after, limit),
                row -> new MutedPerson(Author.of(row, "id"), since(row)));
    }

    List<Listed<FollowedPost>> followedPosts(Reads reads, UserId reader, Position after, int limit) {
        return list(query(reads, FOLLOWED_POSTS, reader, after, limit), row -> new FollowedPost(post(row), since(row)));
    }

    static Query query(Reads reads, String sql, UserId reader, Position after, int limit) {
        return reads.query(sql)
                .bind("user", reader.value())
                .bind("time", after.time())
                .bind("after", after.id())
                .bind("limit", limit);
    }

    private static <T> List<Listed<T>> list(Query query, RowMapper<T> item) {
        return query.map(row -> new Listed<>(
                        item.map(row),
                        new Position(ChronoUnit.MICROS.between(Instant.EPOCH, since(row)), row.getLong("id"))))
                .list();
    }

    private static ListedPost post(ResultSet row) throws SQLException {
        return new ListedPost(new PostId(row.getLong("id")), Author.of(row, "owned_by"), row.getString("snippet"));
    }

    private static Instant since(ResultSet row) throws SQLException {
        return Columns.instant(row, "since");
    }
}
