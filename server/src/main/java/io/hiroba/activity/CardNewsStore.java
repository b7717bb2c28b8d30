package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Cards of many readers in one statement: two steps into the index a reader, and no more where nothing is new. */
final class CardNewsStore {

    /** A reader's card. */
    record Found(UserId reader, Card card) {}

    // Cards of one time are seen together or not at all, so none of them is left for a later look.
    private static final String WALK = """
            (SELECT n.user_id, n.slot, n.term, n.is_read, n.payload, n.updated_at, n.created_at
             FROM activity.notifications n
             WHERE n.user_id = reader.id AND n.is_read = %s AND n.updated_at > reader.since
             ORDER BY n.updated_at
             FETCH FIRST %d ROWS WITH TIES)
            """;

    private static final String SINCE =
            """
            WITH cards AS MATERIALIZED (
                SELECT user_id, slot, term, is_read, payload, updated_at, created_at
                FROM unnest(:readers, CAST(:since AS timestamptz[])) AS reader (id, since)
                CROSS JOIN LATERAL (
                    SELECT user_id, slot, term, is_read, payload, updated_at, created_at
                    FROM (%s UNION ALL %s) AS both_kinds
                    ORDER BY updated_at
                    FETCH FIRST %d ROWS WITH TIES) news)
            """.formatted(WALK.formatted("false", CardNews.MOST), WALK.formatted("true", CardNews.MOST), CardNews.MOST)
                    + CardStore.SHOWN
                    + "ORDER BY c.updated_at, c.slot, c.term";

    List<Found> since(Reads reads, Map<UserId, Instant> times) {
        return since(reads, "", times)
                .map(row -> new Found(new UserId(row.getLong("user_id")), CardRow.card(row)))
                .list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query since(Reads reads, String lead, Map<UserId, Instant> times) {
        var entries = List.copyOf(times.entrySet());
        return reads.query(lead + SINCE)
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

    Instant latest(Reads reads, UserId reader) {
        return latest(reads, "", reader).mapTo(OffsetDateTime.class).one().toInstant();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query latest(Reads reads, String lead, UserId reader) {
        return reads.query(lead + """
                        SELECT greatest(
                            (SELECT max(n.updated_at) FROM activity.notifications n
                             WHERE n.user_id = :reader AND n.is_read = false),
                            (SELECT max(n.updated_at) FROM activity.notifications n
                             WHERE n.user_id = :reader AND n.is_read = true),
                            timestamptz 'epoch')
                        """).bind("reader", reader.value());
    }

    Map<UserId, Integer> unread(Reads reads, Collection<UserId> readers, int most) {
        return unread(reads, "", readers, most)
                .map(row -> Map.entry(new UserId(row.getLong("id")), row.getInt("unread")))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** {@code lead} may be EXPLAIN. */
    static Query unread(Reads reads, String lead, Collection<UserId> readers, int most) {
        return reads.query(lead + """
                        SELECT reader.id, (
                            SELECT count(*) FROM (
                                SELECT FROM activity.notifications n
                                WHERE n.user_id = reader.id AND n.is_read = false
                                LIMIT :most) AS unread) AS unread
                        FROM unnest(:readers) AS reader (id)
                        """)
                .bindArray(
                        "readers",
                        Long.class,
                        readers.stream().map(UserId::value).toArray())
                .bind("most", most);
    }
}
