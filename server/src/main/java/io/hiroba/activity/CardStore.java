package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lists of cards: each walks along the index of one reader's read or unread cards, and names and excerpts are looked up for
 * the cards shown, in the same statement.
 */
final class CardStore {

    /** The longest page, and the card that tells of another one; in the text, so that the planner knows it. */
    private static final int MOST = 101;

    private static final String WALK = """
            SELECT n.user_id, n.slot, n.term, n.is_read, n.payload, n.updated_at, n.created_at
            FROM activity.notifications n
            WHERE n.user_id = :user AND n.is_read = %s AND %s
            ORDER BY n.updated_at DESC, n.slot DESC, n.term DESC
            LIMIT %d
            """;

    /** The end of a statement that begins with {@code cards}, each of which is shown to its own reader. */
    static final String SHOWN = """
            SELECT c.user_id, c.slot, c.term, c.is_read, c.updated_at, c.created_at,
                   (c.payload->>'countUsers')::int AS count_users, (c.payload->>'countPosts')::int AS count_posts,
                   p.id AS post_id, p.owned_by = c.user_id AS mine, p.snippet, acts.list AS acts
            FROM cards c
            LEFT JOIN LATERAL (
                SELECT o.id, o.owned_by, o.snippet FROM social.post_card o
                WHERE o.id = ('x' || nullif(split_part(c.slot, ':', 2), ''))::bit(64)::bigint
                  AND (SELECT true FROM social.separated s WHERE s.one = c.user_id AND s.other = o.owned_by LIMIT 1) IS NULL
                OFFSET 0) p ON true
            CROSS JOIN LATERAL (
                SELECT json_agg(json_build_object(
                           'ts', r.act->'ts', 'userId', r.act->>'userId', 'postId', r.act->>'postId',
                           'nickname', u.nickname, 'avatar', u.avatar, 'kind', u.kind) ORDER BY r.place) AS list
                FROM jsonb_array_elements(c.payload->'records') WITH ORDINALITY AS r (act, place)
                CROSS JOIN LATERAL (
                    SELECT a.nickname, a.avatar, a.kind FROM accounts.user_card a
                    WHERE a.id = ('x' || (r.act->>'userId'))::bit(64)::bigint
                    OFFSET 0) u) acts
            """;

    private static final String NEWEST_FIRST = "ORDER BY updated_at DESC, slot DESC, term DESC";

    private static final String PAGE =
            "WITH cards AS MATERIALIZED (SELECT user_id, slot, term, is_read, payload, updated_at, created_at FROM ("
                    + WALK.formatted(":read", "(n.updated_at, n.slot, n.term) < (:time, :slot, :term)", MOST)
                    + ") AS walk LIMIT :limit)\n" + SHOWN + NEWEST_FIRST;

    private static final String NEWS =
            "EXISTS (SELECT FROM activity.notifications WHERE user_id = :user AND is_read = %s AND updated_at > :time)";

    private static final String NEWEST = "WITH news AS MATERIALIZED (SELECT :all OR :time > clock_timestamp() OR "
            + NEWS.formatted("false") + " OR " + NEWS.formatted("true") + " AS there),\n"
            + "cards AS MATERIALIZED ((" + WALK.formatted("false", "(SELECT there FROM news)", 50) + ") UNION ALL ("
            + WALK.formatted("true", "(SELECT there FROM news)", 50) + ")),\n"
            + "shown AS (" + SHOWN + ")\n"
            + "SELECT there, slot, term, is_read, updated_at, created_at, count_users, count_posts, post_id, mine, snippet, acts\n"
            + "FROM news LEFT JOIN shown ON true\n" + NEWEST_FIRST;

    List<Card> page(Reads reads, UserId reader, boolean read, CardPosition after, int limit) {
        return page(reads, "", reader, read, after, limit).map(CardRow::card).list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query page(Reads reads, String lead, UserId reader, boolean read, CardPosition after, int limit) {
        return reads.query(lead + PAGE)
                .bind("user", reader.value())
                .bind("read", read)
                .bind("time", after.updatedAt().atOffset(ZoneOffset.UTC))
                .bind("slot", after.slot())
                .bind("term", after.term())
                .bind("limit", limit);
    }

    /** Whether there is news, and a card of it; there is always a row, without a card where there are none. */
    private record News(boolean there, @Nullable Card card) {}

    /** The newest cards of both kinds; none where nothing is newer than {@code newerThan}. */
    Optional<CardFeed> newest(Reads reads, UserId reader, @Nullable Instant newerThan) {
        var news = newest(reads, "", reader, newerThan)
                .map(row -> new News(row.getBoolean("there"), row.getString("slot") == null ? null : CardRow.card(row)))
                .list();
        return news.getFirst().there()
                ? Optional.of(new CardFeed(
                        news.stream().map(News::card).filter(Objects::nonNull).toList()))
                : Optional.empty();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query newest(Reads reads, String lead, UserId reader, @Nullable Instant newerThan) {
        return reads.query(lead + NEWEST)
                .bind("user", reader.value())
                .bind("all", newerThan == null)
                .bind(
                        "time",
                        Objects.requireNonNullElse(newerThan, Instant.EPOCH).atOffset(ZoneOffset.UTC));
    }

    /** How many unread cards there are, {@code most} at most: a walk along the index alone. */
    int unread(Reads reads, UserId reader, int most) {
        return unread(reads, "", reader, most).mapTo(Integer.class).one();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query unread(Reads reads, String lead, UserId reader, int most) {
        return reads.query(lead + """
                        SELECT count(*) FROM (
                            SELECT FROM activity.notifications n
                            WHERE n.user_id = :user AND n.is_read = false
                            LIMIT :most) AS unread
                        """).bind("user", reader.value()).bind("most", most);
    }
}
