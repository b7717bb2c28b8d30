package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.http.Json;
import io.hiroba.social.Author;
import io.hiroba.social.PostId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists of cards. Each is a scan of the index of one reader's read or unread cards; nicknames and post excerpts are looked up
 * for the cards of the page, in the same statement. Query methods with a {@code prefix} take {@code EXPLAIN} there.
 */
final class CardListStore {

    /** The longest page and the row that shows that there is another; a literal, so that the planner knows it. */
    private static final int MAX_ROWS = 101;

    /** Unread and read cards of {@link #newest}, each. */
    static final int NEWEST_LIMIT = 50;

    /** Cards of one reader that {@link #updatedSince} returns, save ties. */
    static final int UPDATES_LIMIT = 50;

    private static final String COLUMNS = "user_id, slot, term, is_read, payload, updated_at, created_at";

    private static final String SCAN = """
            SELECT n.user_id, n.slot, n.term, n.is_read, n.payload, n.updated_at, n.created_at
            FROM activity.notifications n
            WHERE n.user_id = :user AND n.is_read = %s AND %s
            ORDER BY n.updated_at DESC, n.slot DESC, n.term DESC
            LIMIT %d
            """;

    /** Selects the rows of {@code cards}, a CTE before it, with what their own readers may see of people and posts. */
    private static final String SELECT_CARDS = """
            SELECT c.user_id, c.slot, c.term, c.is_read, c.updated_at, c.created_at,
                   (c.payload->>'countUsers')::int AS count_users, (c.payload->>'countPosts')::int AS count_posts,
                   p.id AS post_id, p.owned_by = c.user_id AS mine, p.snippet, newest.snippet AS reply, acts.list AS acts
            FROM cards c
            LEFT JOIN LATERAL (
                SELECT o.id, o.owned_by, o.snippet FROM social.post_card o
                WHERE o.id = ('x' || nullif(split_part(c.slot, ':', 2), ''))::bit(64)::bigint
                  AND (SELECT true FROM social.separated s WHERE s.one = c.user_id AND s.other = o.owned_by LIMIT 1) IS NULL
                OFFSET 0) p ON true
            LEFT JOIN LATERAL (
                SELECT o.snippet FROM social.post_card o
                WHERE c.slot LIKE 'reply:%'
                  AND o.id = ('x' || (c.payload->'records'->0->>'postId'))::bit(64)::bigint
                  AND (SELECT true FROM social.separated s WHERE s.one = c.user_id AND s.other = o.owned_by LIMIT 1) IS NULL
                OFFSET 0) newest ON true
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

    static final String PAGE = "WITH cards AS MATERIALIZED (SELECT " + COLUMNS + " FROM (\n"
            + SCAN.formatted(":read", "(n.updated_at, n.slot, n.term) < (:time, :slot, :term)", MAX_ROWS)
            + ") AS scan LIMIT :limit)\n" + SELECT_CARDS + NEWEST_FIRST;

    private static final String IS_UPDATED =
            "EXISTS (SELECT FROM activity.notifications WHERE user_id = :user AND is_read = %s AND updated_at > :time)";

    static final String NEWEST = "WITH updates AS MATERIALIZED (SELECT :all OR :time > clock_timestamp()\n    OR "
            + IS_UPDATED.formatted("false") + "\n    OR " + IS_UPDATED.formatted("true") + " AS found),\n"
            + "cards AS MATERIALIZED ((\n"
            + SCAN.formatted("false", "(SELECT found FROM updates)", NEWEST_LIMIT) + ") UNION ALL (\n"
            + SCAN.formatted("true", "(SELECT found FROM updates)", NEWEST_LIMIT) + ")),\n"
            + "shown AS (\n" + SELECT_CARDS + ")\n"
            + "SELECT found, slot, term, is_read, updated_at, created_at, count_users, count_posts, post_id, mine, snippet, reply, acts\n"
            + "FROM updates LEFT JOIN shown ON true\n" + NEWEST_FIRST;

    // Cards of one time become visible together or not at all, so none of them is left for a later poll.
    private static final String READER_SCAN = """
            (SELECT n.user_id, n.slot, n.term, n.is_read, n.payload, n.updated_at, n.created_at
             FROM activity.notifications n
             WHERE n.user_id = reader.id AND n.is_read = %s AND n.updated_at > reader.since
             ORDER BY n.updated_at
             FETCH FIRST %d ROWS WITH TIES)
            """;

    static final String UPDATED_SINCE = """
            WITH cards AS MATERIALIZED (
                SELECT user_id, slot, term, is_read, payload, updated_at, created_at
                FROM unnest(:readers, CAST(:since AS timestamptz[])) AS reader (id, since)
                CROSS JOIN LATERAL (
                    SELECT user_id, slot, term, is_read, payload, updated_at, created_at
                    FROM (%s UNION ALL %s) AS both_kinds
                    ORDER BY updated_at
                    FETCH FIRST %d ROWS WITH TIES) AS updates)
            """.formatted(
                            READER_SCAN.formatted("false", UPDATES_LIMIT),
                            READER_SCAN.formatted("true", UPDATES_LIMIT),
                            UPDATES_LIMIT)
            + SELECT_CARDS
            + "ORDER BY c.updated_at, c.slot, c.term";

    List<Card> page(Reads reads, UserId reader, boolean read, CardPosition after, int limit) {
        return page(reads, "", reader, read, after, limit)
                .map(CardListStore::card)
                .list();
    }

    static Query page(Reads reads, String prefix, UserId reader, boolean read, CardPosition after, int limit) {
        return reads.query(prefix + PAGE)
                .bind("user", reader.value())
                .bind("read", read)
                .bind("time", after.updatedAt())
                .bind("slot", after.slot())
                .bind("term", after.term())
                .bind("limit", limit);
    }

    /** A row of {@link #NEWEST}: there is always one, without a card where there are none. */
    private record NewestRow(boolean found, @Nullable Card card) {}

    /** The newest cards of both kinds; none where no card is newer than {@code newerThan}. */
    Optional<CardFeed> newest(Reads reads, UserId reader, @Nullable Instant newerThan) {
        var rows = newest(reads, "", reader, newerThan)
                .map(row -> new NewestRow(row.getBoolean("found"), row.getString("slot") == null ? null : card(row)))
                .list();
        return rows.getFirst().found()
                ? Optional.of(new CardFeed(rows.stream()
                        .map(NewestRow::card)
                        .filter(Objects::nonNull)
                        .toList()))
                : Optional.empty();
    }

    static Query newest(Reads reads, String prefix, UserId reader, @Nullable Instant newerThan) {
        return reads.query(prefix + NEWEST)
                .bind("user", reader.value())
                .bind("all", newerThan == null)
                .bind("time", Objects.requireNonNullElse(newerThan, Instant.EPOCH));
    }

    /** How many unread cards there are, {@code max} at most, from the index alone. */
    int unread(Reads reads, UserId reader, int max) {
        return unread(reads, "", reader, max).mapTo(Integer.class).one();
    }

    static Query unread(Reads reads, String prefix, UserId reader, int max) {
        return reads.query(prefix + """
                        SELECT count(*) FROM (
                            SELECT FROM activity.notifications n
                            WHERE n.user_id = :user AND n.is_read = false
                            LIMIT :max) AS unread
                        """).bind("user", reader.value()).bind("max", max);
    }

    /** Cards of many readers that are newer than each reader's time, in the order of their times. */
    Map<UserId, List<Card>> updatedSince(Reads reads, Map<UserId, Instant> times) {
        return updatedSince(reads, "", times)
                .map(row -> Map.entry(new UserId(row.getLong("user_id")), card(row)))
                .stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    static Query updatedSince(Reads reads, String prefix, Map<UserId, Instant> times) {
        var entries = List.copyOf(times.entrySet());
        return reads.query(prefix + UPDATED_SINCE)
                .bindArray(
                        "readers",
                        Long.class,
                        entries.stream().map(entry -> entry.getKey().value()).toArray())
                .bindArray(
                        "since",
                        String.class,
                        entries.stream()
                                .map(entry -> CardTime.text(entry.getValue()))
                                .toArray());
    }

    /** The time of the newest card; the epoch where there is none. */
    Instant latest(Reads reads, UserId reader) {
        return latest(reads, "", reader).mapTo(OffsetDateTime.class).one().toInstant();
    }

    static Query latest(Reads reads, String prefix, UserId reader) {
        return reads.query(prefix + """
                        SELECT greatest(
                            (SELECT max(n.updated_at) FROM activity.notifications n
                             WHERE n.user_id = :reader AND n.is_read = false),
                            (SELECT max(n.updated_at) FROM activity.notifications n
                             WHERE n.user_id = :reader AND n.is_read = true),
                            timestamptz 'epoch')
                        """).bind("reader", reader.value());
    }

    Map<UserId, Integer> unread(Reads reads, Collection<UserId> readers, int max) {
        return unread(reads, "", readers, max)
                .map(row -> Map.entry(new UserId(row.getLong("id")), row.getInt("unread")))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    static Query unread(Reads reads, String prefix, Collection<UserId> readers, int max) {
        return reads.query(prefix + """
                        SELECT reader.id, (
                            SELECT count(*) FROM (
                                SELECT FROM activity.notifications n
                                WHERE n.user_id = reader.id AND n.is_read = false
                                LIMIT :max) AS unread) AS unread
                        FROM unnest(:readers) AS reader (id)
                        """)
                .bindArray(
                        "readers",
                        Long.class,
                        readers.stream().map(UserId::value).toArray())
                .bind("max", max);
    }

    private static Card card(ResultSet row) throws SQLException {
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

    private static Card.@Nullable Post post(ResultSet row) throws SQLException {
        long id = row.getLong("post_id");
        return row.wasNull()
                ? null
                : new Card.Post(
                        new PostId(id), row.getString("snippet"), row.getBoolean("mine"), row.getString("reply"));
    }

    private static List<Card.Act> acts(@Nullable String json) {
        return json == null
                ? List.of()
                : Stream.of(Json.mapper().readValue(json, ActRow[].class))
                        .map(ActRow::act)
                        .toList();
    }

    /** An element of the column {@code acts}. */
    private record ActRow(
            long ts,
            String userId,
            @Nullable String postId,
            String nickname,
            @Nullable String avatar,
            String kind) {

        Card.Act act() {
            return new Card.Act(
                    Instant.ofEpochMilli(ts),
                    new Author(UserId.parse(userId), nickname, avatar, kind.equals("agent")),
                    postId == null ? null : PostId.parse(postId));
        }
    }
}
