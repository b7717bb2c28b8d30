package io.hiroba.social;

import io.hiroba.accounts.UserCounts;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.PeopleLists.PersonCard;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The store of lists of people by the time of a follow, like or block: one statement and one index for each list. */
public final class PeopleStore {

    public static final String FOLLOWERS =
            list("""
            SELECT f.follower_id AS id, f.created_at FROM social.user_follows f
            WHERE f.followee_id = :of AND (f.created_at, f.follower_id) < (:time, :after)
              AND\s""" + PostCardStore.visible(":of") + " AND " + PostCardStore.visible("f.follower_id") + """

            ORDER BY f.created_at DESC, f.follower_id DESC
            """);

    static final String FOLLOWEES =
            list("""
            SELECT f.followee_id AS id, f.created_at FROM social.user_follows f
            WHERE f.follower_id = :of AND (f.created_at, f.followee_id) < (:time, :after)
              AND\s""" + PostCardStore.visible(":of") + " AND " + PostCardStore.visible("f.followee_id") + """

            ORDER BY f.created_at DESC, f.followee_id DESC
            """);

    static final String LIKERS =
            list("""
            SELECT l.liked_by AS id, l.created_at FROM social.post_likes l
            WHERE l.post_id = :of AND (l.created_at, l.liked_by) < (:time, :after)
              AND\s""" + PostCardStore.visible("(SELECT owned_by FROM social.posts WHERE id = :of)") + " AND "
                    + PostCardStore.visible("l.liked_by") + """

            ORDER BY l.created_at DESC, l.liked_by DESC
            """);

    static final String BLOCKED = list("""
            SELECT b.blocked_id AS id, b.created_at FROM social.user_blocks b
            WHERE b.blocker_id = :of AND (b.created_at, b.blocked_id) < (:time, :after)
            ORDER BY b.created_at DESC, b.blocked_id DESC
            """);

    private static String list(String hits) {
        return "WITH hits AS MATERIALIZED (" + PostCardStore.page(hits) + """
                )
                SELECT h.id, (extract(epoch FROM h.created_at) * 1000000)::bigint AS sort_key,
                       u.nickname, u.avatar, u.kind,
                       (SELECT true FROM social.user_follows
                        WHERE follower_id = :viewer AND followee_id = h.id) IS NOT NULL AS followed_by_me,
                       (SELECT true FROM social.user_follows
                        WHERE follower_id = h.id AND followee_id = :viewer) IS NOT NULL AS follows_me
                FROM hits h
                CROSS JOIN LATERAL (SELECT c.nickname, c.avatar, c.kind
                                    FROM accounts.user_card c WHERE c.id = h.id OFFSET 0) u
                ORDER BY h.created_at DESC, h.id DESC
                """;
    }

    List<Listed<PersonCard>> followers(Reads reads, UserId viewer, UserId of, Position after, int limit) {
        return query(reads, FOLLOWERS, viewer, of.value(), after, limit)
                .map(PeopleStore::listed)
                .list();
    }

    List<Listed<PersonCard>> followees(Reads reads, UserId viewer, UserId of, Position after, int limit) {
        return query(reads, FOLLOWEES, viewer, of.value(), after, limit)
                .map(PeopleStore::listed)
                .list();
    }

    List<Listed<PersonCard>> likers(Reads reads, UserId viewer, PostId post, Position after, int limit) {
        return query(reads, LIKERS, viewer, post.value(), after, limit)
                .map(PeopleStore::listed)
                .list();
    }

    List<Listed<PersonCard>> blocked(Reads reads, UserId viewer, Position after, int limit) {
        return query(reads, BLOCKED, viewer, viewer.value(), after, limit)
                .map(PeopleStore::listed)
                .list();
    }

    Map<UserId, UserCounts.Counts> counts(Reads reads, Collection<UserId> users) {
        return countsQuery(reads, "", users)
                .map(row -> Map.entry(
                        new UserId(row.getLong("id")),
                        new UserCounts.Counts(
                                row.getInt("count_posts"),
                                row.getInt("count_followers"),
                                row.getInt("count_followees"))))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** {@code lead} may be EXPLAIN. */
    static Query countsQuery(Reads reads, String lead, Collection<UserId> users) {
        return reads.query(lead + """
                        SELECT h.id, t.count_posts, t.count_followers, t.count_followees
                        FROM unnest(:users) AS h (id)
                        CROSS JOIN LATERAL (SELECT u.count_posts, u.count_followers, u.count_followees
                                            FROM social.user_totals u WHERE u.user_id = h.id OFFSET 0) t
                        """)
                .bindArray(
                        "users", Long.class, users.stream().map(UserId::value).toArray());
    }

    static Query query(Reads reads, String sql, UserId viewer, long of, Position after, int limit) {
        return reads.query(sql)
                .bind("viewer", viewer.value())
                .bind("of", of)
                .bind("time", after.time())
                .bind("after", after.id())
                .bind("limit", limit);
    }

    private static Listed<PersonCard> listed(ResultSet row) throws SQLException {
        var card = card(row);
        return new Listed<>(
                card, new Position(row.getLong("sort_key"), card.person().id().value()));
    }

    static PersonCard card(ResultSet row) throws SQLException {
        return new PersonCard(Author.of(row, "id"), row.getBoolean("followed_by_me"), row.getBoolean("follows_me"));
    }
}
