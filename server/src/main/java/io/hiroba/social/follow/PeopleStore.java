package io.hiroba.social.follow;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.Author;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import io.hiroba.social.PostCards;
import io.hiroba.social.PostId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.StatementContext;

/** Lists of people by the time of what they did: one statement each, answered from one index. */
final class PeopleStore {

    private static final String FOLLOWERS = list("""
            SELECT f.follower_id AS id, f.created_at FROM social.user_follows f
            WHERE f.followee_id = :of AND (f.created_at, f.follower_id) < (:time, :after)
              AND\s""" + PostCards.visible("f.follower_id") + """

            ORDER BY f.created_at DESC, f.follower_id DESC
            LIMIT :limit""");

    private static final String FOLLOWEES = list("""
            SELECT f.followee_id AS id, f.created_at FROM social.user_follows f
            WHERE f.follower_id = :of AND (f.created_at, f.followee_id) < (:time, :after)
              AND\s""" + PostCards.visible("f.followee_id") + """

            ORDER BY f.created_at DESC, f.followee_id DESC
            LIMIT :limit""");

    private static final String LIKERS = list("""
            SELECT l.liked_by AS id, l.created_at FROM social.post_likes l
            WHERE l.post_id = :of AND (l.created_at, l.liked_by) < (:time, :after)
              AND\s""" + PostCards.visible("l.liked_by") + """

            ORDER BY l.created_at DESC, l.liked_by DESC
            LIMIT :limit""");

    private static final String BLOCKED = list("""
            SELECT b.blocked_id AS id, b.created_at FROM social.user_blocks b
            WHERE b.blocker_id = :of AND (b.created_at, b.blocked_id) < (:time, :after)
            ORDER BY b.created_at DESC, b.blocked_id DESC
            LIMIT :limit""");

    private static String list(String hits) {
        return "WITH hits AS MATERIALIZED (" + hits + """
                )
                SELECT h.id, (extract(epoch FROM h.created_at) * 1000000)::bigint AS sort_key,
                       u.nickname, u.avatar, u.kind,
                       EXISTS (SELECT FROM social.user_follows
                               WHERE follower_id = :viewer AND followee_id = h.id) AS followed_by_me,
                       EXISTS (SELECT FROM social.user_follows
                               WHERE follower_id = h.id AND followee_id = :viewer) AS follows_me
                FROM hits h
                JOIN accounts.user_card u ON u.id = h.id
                ORDER BY h.created_at DESC, h.id DESC
                """;
    }

    List<Listed<PersonCard>> followers(Reads reads, UserId viewer, UserId of, Position after, int limit) {
        return list(query(reads, FOLLOWERS, viewer, of.value(), after, limit));
    }

    List<Listed<PersonCard>> followees(Reads reads, UserId viewer, UserId of, Position after, int limit) {
        return list(query(reads, FOLLOWEES, viewer, of.value(), after, limit));
    }

    List<Listed<PersonCard>> likers(Reads reads, UserId viewer, PostId post, Position after, int limit) {
        return list(query(reads, LIKERS, viewer, post.value(), after, limit));
    }

    List<Listed<PersonCard>> blocked(Reads reads, UserId viewer, Position after, int limit) {
        return list(query(reads, BLOCKED, viewer, viewer.value(), after, limit));
    }

    private static Query query(Reads reads, String sql, UserId viewer, long of, Position after, int limit) {
        return reads.query(sql)
                .bind("viewer", viewer.value())
                .bind("of", of)
                .bind("time", after.time())
                .bind("after", after.id())
                .bind("limit", limit);
    }

    private static List<Listed<PersonCard>> list(Query query) {
        return query.map(PeopleStore::listed).list();
    }

    private static Listed<PersonCard> listed(ResultSet row, StatementContext ctx) throws SQLException {
        var card = card(row, ctx);
        return new Listed<>(
                card, new Position(row.getLong("sort_key"), card.person().id().value()));
    }

    static PersonCard card(ResultSet row, StatementContext ctx) throws SQLException {
        return new PersonCard(Author.of(row, "id"), row.getBoolean("followed_by_me"), row.getBoolean("follows_me"));
    }
}
