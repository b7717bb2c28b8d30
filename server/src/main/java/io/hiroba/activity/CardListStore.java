package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.Author;
import io.hiroba.social.PostId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists of cards. Each is a scan of the index of one reader's read or unread cards; the posts are looked up for the cards of
 * the page in the same statement, and the people in another: each of them once, however many cards they are on. Query methods
 * with a {@code prefix} take {@code EXPLAIN} there.
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

    /** Selects the rows of {@code cards}, a CTE before it, with what their own readers may see of posts. */
    private static final String SELECT_CARDS = """
            SELECT c.user_id, c.slot, c.term, c.is_read, c.updated_at, c.created_at, c.payload,
                   p.id AS post_id, p.owned_by = c.user_id AS mine, p.snippet, newest.snippet AS reply
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
            + "SELECT found, user_id, slot, term, is_read, updated_at, created_at, payload, post_id, mine, snippet, reply\n"
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
        return cards(
                reads,
                page(reads, "", reader, read, after, limit)
                        .map(CardListStore::cardRow)
                        .list());
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
    private record NewestRow(boolean found, @Nullable CardRow card) {}

    /** The newest cards of both kinds; none where no card is newer than {@code newerThan}. */
    Optional<CardFeed> newest(Reads reads, UserId reader, @Nullable Instant newerThan) {
        var rows = newest(reads, "", reader, newerThan)
                .map(row -> new NewestRow(row.getBoolean("found"), row.getString("slot") == null ? null : cardRow(row)))
                .list();
        return rows.getFirst().found()
                ? Optional.of(new CardFeed(cards(
                        reads,
                        rows.stream()
                                .map(NewestRow::card)
                                .filter(Objects::nonNull)
                                .toList())))
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
        var rows = updatedSince(reads, "", times).map(CardListStore::cardRow).list();
        var authors = authors(reads, rows);
        return rows.stream()
                .collect(Collectors.groupingBy(
                        row -> new UserId(row.reader()),
                        Collectors.mapping(row -> row.card(authors), Collectors.toList())));
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
        return latest(reads, "", reader).mapTo(Instant.class).one();
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

    /** A row of a list, without the people who acted. */
    private record CardRow(
            long reader,
            Slot slot,
            String term,
            boolean read,
            Instant createdAt,
            Instant updatedAt,
            CardPayload payload,
            Card.@Nullable Post post) {

        Card card(Map<Long, Author> authors) {
            return new Card(
                    slot,
                    term,
                    read,
                    createdAt,
                    updatedAt,
                    payload.users(),
                    slot.kind().hasPosts() ? payload.posts() : null,
                    post,
                    payload.acts().stream()
                            .filter(act -> authors.containsKey(act.actor()))
                            .map(act -> act(act, authors))
                            .toList());
        }

        private static Card.Act act(ActRecord act, Map<Long, Author> authors) {
            return new Card.Act(
                    Instant.ofEpochMilli(act.ts()),
                    Objects.requireNonNull(authors.get(act.actor())),
                    act.post() == 0 ? null : new PostId(act.post()));
        }
    }

    private static CardRow cardRow(ResultSet row) throws SQLException {
        var slot = Slot.find(row.getString("slot")).orElseThrow();
        return new CardRow(
                row.getLong("user_id"),
                slot,
                row.getString("term"),
                row.getBoolean("is_read"),
                Columns.instant(row, "created_at"),
                Columns.instant(row, "updated_at"),
                CardPayload.read(slot.kind(), row.getString("payload")),
                post(row));
    }

    private static Card.@Nullable Post post(ResultSet row) throws SQLException {
        long id = row.getLong("post_id");
        return row.wasNull()
                ? null
                : new Card.Post(
                        new PostId(id), row.getString("snippet"), row.getBoolean("mine"), row.getString("reply"));
    }

    private static List<Card> cards(Reads reads, List<CardRow> rows) {
        var authors = authors(reads, rows);
        return rows.stream().map(row -> row.card(authors)).toList();
    }

    /** The people on the cards who have an account. */
    private static Map<Long, Author> authors(Reads reads, List<CardRow> rows) {
        var ids = rows.stream()
                .flatMap(row -> row.payload().acts().stream())
                .map(ActRecord::actor)
                .collect(Collectors.toSet());
        return ids.isEmpty()
                ? Map.of()
                : authors(reads, "", ids).map(row -> Author.of(row, "id")).stream()
                        .collect(Collectors.toMap(author -> author.id().value(), author -> author));
    }

    static Query authors(Reads reads, String prefix, Collection<Long> ids) {
        return reads.query(prefix + "SELECT id, nickname, avatar, kind FROM accounts.user_card WHERE id = ANY (:ids)")
                .bindArray("ids", Long.class, ids);
    }
}
