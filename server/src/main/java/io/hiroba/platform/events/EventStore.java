package io.hiroba.platform.events;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Claims partitions of the event log by locking their cursors, reads their events and moves the cursors. */
final class EventStore {

    /** A partition whose cursor this transaction has locked. */
    record Claim(int partition, long lastEventId) {}

    void append(Tx tx, Short[] partitions, String[] payloads) {
        tx.query("SELECT platform.append_events(:partitions, CAST(:payloads AS jsonb[]))")
                .bindArray("partitions", Short.class, (Object[]) partitions)
                .bindArray("payloads", String.class, (Object[]) payloads)
                .mapTo(String.class)
                .list();
    }

    /** Creates the cursors of a new consumer, at the oldest event of the log. */
    void register(Tx tx, String consumer) {
        tx.update("""
                INSERT INTO platform.event_log_cursors (consumer, partition_id)
                SELECT :consumer, generate_series(0, 255)
                ON CONFLICT DO NOTHING
                """).bind("consumer", consumer).execute();
    }

    /**
     * The result of a claim.
     *
     * @param horizon the id up to which the log is complete
     * @param drawn the last id that was drawn from its sequence
     */
    record Claimed(long horizon, long drawn, List<Claim> claims) {}

    /**
     * Locks the cursors of up to {@code max} of {@code partitions} that have events up to the horizon, skipping locked ones. From
     * then on PostgreSQL ends the transaction, and with it the claim, of a node that hangs for as long as {@code stall}.
     *
     * <p>Events are looked for by a scalar subquery, a probe for each partition: EXISTS may become a hash of the whole log.
     */
    Claimed claim(Tx tx, String consumer, Collection<Integer> partitions, int max, Duration stall) {
        var rows = claim(tx, "", consumer, partitions, max, stall)
                .map(row -> new Claimed(row.getLong("horizon"), row.getLong("drawn"), claim(row)))
                .list();
        return new Claimed(
                rows.getFirst().horizon(),
                rows.getFirst().drawn(),
                rows.stream().flatMap(row -> row.claims().stream()).toList());
    }

    /** {@code lead} may be EXPLAIN. */
    static Query claim(
            Reads reads, String lead, String consumer, Collection<Integer> partitions, int max, Duration stall) {
        return reads.query(lead + """
                WITH reach AS MATERIALIZED (
                    SELECT h.horizon, h.drawn, set_config('idle_in_transaction_session_timeout', :stall, true)
                    FROM platform.event_horizon() AS h),
                claimed AS MATERIALIZED (
                    SELECT c.partition_id, c.last_event_id
                    FROM platform.event_log_cursors AS c
                    WHERE c.consumer = :consumer
                      AND c.partition_id = ANY (:partitions)
                      AND (SELECT true FROM platform.event_logs AS e
                           WHERE e.partition_id = c.partition_id
                             AND e.event_id > c.last_event_id AND e.event_id <= (SELECT horizon FROM reach)
                           ORDER BY e.event_id LIMIT 1)
                    ORDER BY c.updated_at
                    LIMIT :max
                    FOR UPDATE OF c SKIP LOCKED)
                SELECT r.horizon, r.drawn, c.partition_id, c.last_event_id
                FROM reach AS r LEFT JOIN claimed AS c ON true
                """)
                .bind("stall", stall.toMillis() + "ms")
                .bind("consumer", consumer)
                .bindArray("partitions", Integer.class, partitions.toArray())
                .bind("max", max);
    }

    private static List<Claim> claim(ResultSet row) throws SQLException {
        int partition = row.getInt("partition_id");
        return row.wasNull() ? List.of() : List.of(new Claim(partition, row.getLong("last_event_id")));
    }

    List<Event> read(Tx tx, List<Claim> claims, long horizon, int limit) {
        return tx.query("""
                SELECT e.partition_id, e.event_id, e.payload, e.traceparent
                FROM unnest(:partitions, :cursors) AS c (partition_id, last_event_id)
                CROSS JOIN LATERAL (
                    SELECT partition_id, event_id, payload, traceparent
                    FROM platform.event_logs AS l
                    WHERE l.partition_id = c.partition_id
                      AND l.event_id > c.last_event_id AND l.event_id <= :horizon
                    ORDER BY l.event_id
                    LIMIT :limit) AS e
                LIMIT :limit
                """)
                .bindArray(
                        "partitions",
                        Short.class,
                        claims.stream().map(claim -> (short) claim.partition()).toArray())
                .bindArray(
                        "cursors",
                        Long.class,
                        claims.stream().map(Claim::lastEventId).toArray())
                .bind("horizon", horizon)
                .bind("limit", limit)
                .map(row -> event(row, row.getString("traceparent")))
                .list();
    }

    private static Event event(ResultSet row, @Nullable String traceparent) throws SQLException {
        return new Event(
                row.getInt("partition_id"),
                row.getLong("event_id"),
                EventLog.JSON.readTree(row.getString("payload")),
                traceparent);
    }

    Optional<Event> find(Reads reads, long id) {
        return reads.query(
                        "SELECT partition_id, event_id, payload, traceparent FROM platform.event_logs WHERE event_id = :id")
                .bind("id", id)
                .map(row -> event(row, row.getString("traceparent")))
                .findOne();
    }

    long horizon(Reads reads) {
        return reads.query("SELECT horizon FROM platform.event_horizon()")
                .mapTo(Long.class)
                .one();
    }

    /** The next events of all partitions, in the order of their ids; those of other types have a payload of null. */
    List<Event> scan(Reads reads, long after, long horizon, Collection<String> types, int limit) {
        return scan(reads, "", after, horizon, types, limit)
                .map(row -> event(row, null))
                .list();
    }

    /** {@code lead} may be EXPLAIN. Planned for its limit: for any limit, sorting all that follows may look cheaper. */
    static Query scan(Reads reads, String lead, long after, long horizon, Collection<String> types, int limit) {
        return reads.queryPlannedAnew(lead + """
                SELECT partition_id, event_id,
                       CASE WHEN payload ->> 'type' = ANY (:types) THEN payload ELSE 'null' END AS payload
                FROM platform.event_logs
                WHERE event_id > :after AND event_id <= :horizon
                ORDER BY event_id
                LIMIT :limit
                """)
                .bind("after", after)
                .bind("horizon", horizon)
                .bindArray("types", String.class, types)
                .bind("limit", limit);
    }

    void advance(Tx tx, String consumer, List<Claim> reached) {
        tx.update("""
                UPDATE platform.event_log_cursors AS c
                SET last_event_id = r.last_event_id, updated_at = clock_timestamp()
                FROM unnest(:partitions, :reached) AS r (partition_id, last_event_id)
                WHERE c.consumer = :consumer AND c.partition_id = r.partition_id
                """)
                .bind("consumer", consumer)
                .bindArray(
                        "partitions",
                        Short.class,
                        reached.stream().map(claim -> (short) claim.partition()).toArray())
                .bindArray(
                        "reached",
                        Long.class,
                        reached.stream().map(Claim::lastEventId).toArray())
                .execute();
    }

    /** The oldest event that {@code consumer} has not handled yet. */
    Optional<Long> oldestWaiting(Reads reads, String consumer) {
        return reads.query("""
                SELECT min(e.event_id) AS oldest
                FROM platform.event_log_cursors AS c
                CROSS JOIN LATERAL (
                    SELECT event_id FROM platform.event_logs AS l
                    WHERE l.partition_id = c.partition_id AND l.event_id > c.last_event_id
                    ORDER BY l.event_id
                    LIMIT 1) AS e
                WHERE c.consumer = :consumer
                """).bind("consumer", consumer).mapTo(Long.class).findOne();
    }

    /** The partitions in which each of {@code consumers} has events that it has not handled. */
    Map<String, Set<Integer>> waiting(Reads reads, Collection<String> consumers) {
        return waiting(reads, "", consumers)
                .map(row -> Map.entry(row.getString("consumer"), row.getInt("partition_id")))
                .stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toSet())));
    }

    /** {@code lead} may be EXPLAIN. Events are looked for as by {@link #claim}. */
    static Query waiting(Reads reads, String lead, Collection<String> consumers) {
        return reads.query(lead + """
                SELECT c.consumer, c.partition_id
                FROM platform.event_log_cursors AS c
                WHERE c.consumer = ANY (:consumers)
                  AND (SELECT true FROM platform.event_logs AS e
                       WHERE e.partition_id = c.partition_id AND e.event_id > c.last_event_id
                       ORDER BY e.event_id LIMIT 1)
                """).bindArray("consumers", String.class, consumers);
    }

    /** Deletes up to {@code limit} events before {@code bound} that every consumer has handled. */
    int sweep(Tx tx, long bound, int limit) {
        return tx.update("""
                DELETE FROM platform.event_logs
                WHERE event_id IN (
                    SELECT e.event_id FROM platform.event_logs AS e
                    WHERE e.event_id < :bound
                      AND NOT EXISTS (
                          SELECT FROM platform.event_log_cursors AS c
                          WHERE c.partition_id = e.partition_id AND c.last_event_id < e.event_id)
                    ORDER BY e.event_id
                    LIMIT :limit
                    FOR UPDATE SKIP LOCKED)
                """).bind("bound", bound).bind("limit", limit).execute();
    }
}
