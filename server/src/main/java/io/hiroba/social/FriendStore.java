package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.NameOrder;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.Friend.FriendPosition;
import java.util.List;

/**
 * The store of the list of friends: people by a prefix of their nickname; the reader, then followees, then others.
 *
 * <p>If few people have the prefix, followees are found among them, otherwise by looking up each followee, so the cost is
 * bounded by the smaller number. The statement is planned anew each time, because the best plan depends on the prefix.
 */
final class FriendStore {

    private static final int MAX_FEW = 500;

    private static final String IN_RANGE = NameOrder.begins("u.nickname");
    private static final String IN_ORDER = "ORDER BY " + NameOrder.by("u.nickname", "u.id") + " LIMIT :limit";
    private static final String COLUMNS = "u.id, u.nickname, u.avatar, u.kind";
    private static final String FOLLOWED =
            "(SELECT true FROM social.user_follows f WHERE f.follower_id = :viewer AND f.followee_id = u.id)";
    private static final String FEW_MATCH = "(SELECT count(*) FROM (SELECT FROM accounts.user_card u WHERE " + IN_RANGE
            + " LIMIT :few) AS matching) < :few";

    static final String FRIENDS = """
            SELECT tier, id, nickname, avatar, kind, tier = 1 AS followed_by_me,
                   (SELECT true FROM social.user_follows f
                    WHERE f.follower_id = friends.id AND f.followee_id = :viewer) IS NOT NULL AS follows_me
            FROM ((SELECT 0 AS tier, %1$s FROM accounts.user_card u
                   WHERE u.id = :viewer AND %2$s AND :first)
                  UNION ALL
                  (SELECT 1, %1$s FROM social.user_follows g JOIN accounts.user_card u ON u.id = g.followee_id
                   WHERE g.follower_id = :viewer AND NOT (%7$s) AND :tier <= 1 AND %2$s AND %4$s AND %8$s
                   %6$s)
                  UNION ALL
                  (SELECT 1, %1$s FROM accounts.user_card u
                   WHERE %7$s AND :tier <= 1 AND %2$s AND %4$s AND coalesce(%3$s, false) AND %8$s
                   %6$s)
                  UNION ALL
                  (SELECT 2, %1$s FROM accounts.user_card u
                   WHERE %2$s AND %5$s AND u.id <> :viewer AND NOT coalesce(%3$s, false) AND %8$s
                   %6$s)) AS friends
            ORDER BY tier, %9$s
            LIMIT :limit
            """.formatted(
                    COLUMNS,
                    IN_RANGE,
                    FOLLOWED,
                    NameOrder.after("u.nickname", "u.id", "1"),
                    NameOrder.after("u.nickname", "u.id", "2"),
                    IN_ORDER,
                    FEW_MATCH,
                    PostCardStore.visible("u.id"),
                    NameOrder.by("nickname", "id"));

    List<Friend> list(Reads reads, UserId viewer, String prefix, FriendPosition after, int limit) {
        return query(reads, "", viewer, prefix, after, limit)
                .map(row -> new Friend(row.getInt("tier"), PeopleStore.card(row)))
                .list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query query(Reads reads, String lead, UserId viewer, String prefix, FriendPosition after, int limit) {
        return reads.queryPlannedAnew(lead + FRIENDS)
                .bind("viewer", viewer.value())
                .bind("prefix", prefix)
                .bind("last", NameOrder.LAST)
                .bind("few", MAX_FEW)
                .bind("first", after.equals(FriendPosition.START))
                .bind("tier", after.tier())
                .bind("after1", after.within(1).nickname())
                .bind("afterId1", after.within(1).id().value())
                .bind("after2", after.within(2).nickname())
                .bind("afterId2", after.within(2).id().value())
                .bind("limit", limit);
    }
}
