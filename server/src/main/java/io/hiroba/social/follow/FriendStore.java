package io.hiroba.social.follow;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.PostCards;
import java.util.List;

/**
 * People by the beginning of their nickname: the reader, then those they follow, then the others.
 *
 * <p>Of those they follow, few are gathered and sorted, and many are met soon on a walk along the nicknames; which of the
 * two is done goes by {@link #MANY}. Either way the cost is bounded by the smaller of them.
 */
final class FriendStore {

    /** Sorts after every text that begins with what stands before it. */
    private static final String LAST_CHARACTER = "\uDBFF\uDFFF";

    private static final int MANY = 1000;

    private static final String IN_RANGE = """
            LOWER(u.nickname) ~>=~ LOWER(:prefix) AND LOWER(u.nickname) ~<~ (LOWER(:prefix) || :last)""";
    private static final String AFTER = """
            LOWER(u.nickname) ~>=~ LOWER(:after%1$d)
                 AND (LOWER(u.nickname) ~>~ LOWER(:after%1$d) OR (u.nickname, u.id) > (:after%1$d, :afterId%1$d))""";
    private static final String IN_ORDER = """
            ORDER BY LOWER(u.nickname) USING ~<~, u.nickname, u.id LIMIT :limit""";
    private static final String COLUMNS = "u.id, u.nickname, u.avatar, u.kind, LOWER(u.nickname) AS folded";
    private static final String FOLLOWED =
            "EXISTS (SELECT FROM social.user_follows f WHERE f.follower_id = :viewer AND f.followee_id = u.id)";
    private static final String FOLLOWS_MANY =
            "coalesce((SELECT count_followees FROM social.user_counts WHERE user_id = :viewer), 0) > :many";

    private static final String FRIENDS = """
            SELECT tier, id, nickname, avatar, kind, tier = 1 AS followed_by_me,
                   EXISTS (SELECT FROM social.user_follows f
                           WHERE f.follower_id = friends.id AND f.followee_id = :viewer) AS follows_me
            FROM ((SELECT 0 AS tier, %1$s FROM accounts.user_card u
                   WHERE u.id = :viewer AND %2$s AND :first)
                  UNION ALL
                  (SELECT 1, %1$s FROM social.user_follows g JOIN accounts.user_card u ON u.id = g.followee_id
                   WHERE g.follower_id = :viewer AND NOT (%7$s) AND :tier <= 1 AND %2$s AND %4$s AND %8$s
                   %6$s)
                  UNION ALL
                  (SELECT 1, %1$s FROM accounts.user_card u
                   WHERE %7$s AND :tier <= 1 AND %2$s AND %4$s AND %3$s AND %8$s
                   %6$s)
                  UNION ALL
                  (SELECT 2, %1$s FROM accounts.user_card u
                   WHERE %2$s AND %5$s AND u.id <> :viewer AND NOT %3$s AND %8$s
                   %6$s)) AS friends
            ORDER BY tier, folded USING ~<~, nickname, id
            LIMIT :limit
            """.formatted(
                    COLUMNS,
                    IN_RANGE,
                    FOLLOWED,
                    AFTER.formatted(1),
                    AFTER.formatted(2),
                    IN_ORDER,
                    FOLLOWS_MANY,
                    PostCards.visible("u.id"));

    List<Friend> list(Reads reads, UserId viewer, String prefix, FriendPosition after, int limit) {
        return reads.query(FRIENDS)
                .bind("viewer", viewer.value())
                .bind("prefix", prefix)
                .bind("last", LAST_CHARACTER)
                .bind("many", MANY)
                .bind("first", after.equals(FriendPosition.START))
                .bind("tier", after.tier())
                .bind("after1", after.within(1).nickname())
                .bind("afterId1", after.within(1).id().value())
                .bind("after2", after.within(2).nickname())
                .bind("afterId2", after.within(2).id().value())
                .bind("limit", limit)
                .map((row, ctx) -> new Friend(row.getInt("tier"), PeopleStore.card(row, ctx)))
                .list();
    }
}
