package io.hiroba.webhooks;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.webhooks.OutgoingDelivery.Failure;
import io.hiroba.webhooks.OutgoingDelivery.Status;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries and the queues in which they wait. Whoever adds to a queue locks its row, and so does whoever ends it: a queue with
 * pending deliveries always has its row.
 */
final class DeliveryQueueStore {

    private static final String SUMMARY =
            "id, webhook_id, event_id, type, key, queue, status, attempts, created_at, attempted_at, http_status, took_ms, error";

    /** A delivery to add. */
    record NewDelivery(long id, long webhook, long event, String type, String key, String queue) {}

    /** Adds deliveries, except those of events that wait for the same webhook already. */
    void add(Tx tx, List<NewDelivery> deliveries) {
        tx.query("""
                        WITH added AS (
                            INSERT INTO webhooks.deliveries (id, webhook_id, event_id, type, key, queue)
                            SELECT id, webhook, event, type, key, queue
                            FROM unnest(:ids, :webhooks, :events, :types, :keys, :queues)
                                AS t (id, webhook, event, type, key, queue)
                            ON CONFLICT DO NOTHING
                            RETURNING webhook_id, queue),
                        queued AS (
                            INSERT INTO webhooks.queues AS q (webhook_id, queue, due_at)
                            SELECT DISTINCT webhook_id, queue, now() FROM added ORDER BY webhook_id, queue
                            ON CONFLICT (webhook_id, queue) DO UPDATE SET fence = q.fence
                            RETURNING 1)
                        SELECT count(*) FROM queued
                        """)
                .bindArray("ids", Long.class, deliveries, NewDelivery::id)
                .bindArray("webhooks", Long.class, deliveries, NewDelivery::webhook)
                .bindArray("events", Long.class, deliveries, NewDelivery::event)
                .bindArray("types", String.class, deliveries, NewDelivery::type)
                .bindArray("keys", String.class, deliveries, NewDelivery::key)
                .bindArray("queues", String.class, deliveries, NewDelivery::queue)
                .mapTo(Long.class)
                .one();
    }

    /**
     * A queue that this node works on until its lease ends.
     *
     * @param fence drawn at random: a count would begin anew with the row, and a claim of long ago would hold again
     */
    record ClaimedQueue(long webhook, String queue, long fence) {}

    private static final String CLAIM = """
            WITH RECURSIVE found AS (
                (SELECT webhook_id FROM webhooks.queues WHERE webhook_id > :after ORDER BY webhook_id LIMIT 1)
                UNION ALL
                SELECT (SELECT q.webhook_id FROM webhooks.queues AS q
                        WHERE q.webhook_id > found.webhook_id
                        ORDER BY q.webhook_id LIMIT 1)
                FROM found
                WHERE found.webhook_id IS NOT NULL),
            due AS (
                SELECT first.webhook_id, first.queue
                FROM found
                CROSS JOIN LATERAL (
                    SELECT q.webhook_id, q.queue FROM webhooks.queues AS q
                    WHERE q.webhook_id = found.webhook_id AND q.due_at <= now()
                    ORDER BY q.due_at
                    LIMIT 1
                    FOR UPDATE SKIP LOCKED) AS first
                WHERE found.webhook_id <> ALL (:busy)
                LIMIT 1)
            UPDATE webhooks.queues AS q
            SET due_at = now() + :lease * interval '1 ms', fence = :fence
            FROM due
            WHERE q.webhook_id = due.webhook_id AND q.queue = due.queue
            RETURNING q.webhook_id, q.queue, q.fence
            """;

    /**
     * Claims a queue that is due, of the next webhook after {@code after} that has one and is not one of {@code busy}. It goes from
     * webhook to webhook along the index, whatever waits for each: one with a hundred thousand queues costs no more than another.
     */
    Optional<ClaimedQueue> claim(Tx tx, long after, Collection<Long> busy, Duration lease) {
        return claim(tx, "", after, busy, lease)
                .map(row -> new ClaimedQueue(row.getLong("webhook_id"), row.getString("queue"), row.getLong("fence")))
                .findOne();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query claim(Reads reads, String lead, long after, Collection<Long> busy, Duration lease) {
        return reads.query(lead + CLAIM)
                .bind("after", after)
                .bindArray("busy", Long.class, busy)
                .bind("lease", lease.toMillis())
                .bind("fence", ThreadLocalRandom.current().nextLong());
    }

    /** How long it is until the next queue is due: for another attempt, or because the claim of a node ends. */
    Optional<Duration> nextDueIn(Reads reads) {
        return reads.query("""
                        SELECT CAST(extract(epoch FROM due_at - now()) * 1000 AS bigint) FROM webhooks.queues
                        WHERE due_at > now()
                        ORDER BY due_at
                        LIMIT 1
                        """).mapTo(Long.class).findOne().map(Duration::ofMillis);
    }

    /** How long the queue has been due that has been so longest. */
    Optional<Duration> overdue(Reads reads) {
        return reads.query("""
                        SELECT CAST(extract(epoch FROM now() - due_at) * 1000 AS bigint) FROM webhooks.queues
                        WHERE due_at <= now()
                        ORDER BY due_at
                        LIMIT 1
                        """).mapTo(Long.class).findOne().map(Duration::ofMillis);
    }

    /** Whether the claim still holds; until {@code tx} ends nobody adds to the queue. */
    boolean lock(Tx tx, ClaimedQueue claim) {
        return tx.query("""
                        SELECT true FROM webhooks.queues
                        WHERE webhook_id = :webhook AND queue = :queue AND fence = :fence
                        FOR UPDATE
                        """)
                .bind("webhook", claim.webhook())
                .bind("queue", claim.queue())
                .bind("fence", claim.fence())
                .mapTo(Boolean.class)
                .findOne()
                .isPresent();
    }

    /** The first delivery of a queue. */
    Optional<OutgoingDelivery> first(Reads reads, ClaimedQueue claim) {
        return reads.query("""
                        SELECT %s, NULL AS request, NULL AS response FROM webhooks.deliveries
                        WHERE webhook_id = :webhook AND queue = :queue AND status = 'pending'
                        ORDER BY event_id
                        LIMIT 1
                        """.formatted(SUMMARY))
                .bind("webhook", claim.webhook())
                .bind("queue", claim.queue())
                .map(DeliveryQueueStore::delivery)
                .findOne();
    }

    /** The result of an attempt. */
    record AttemptResult(
            Status status,
            @Nullable Integer httpStatus,
            @Nullable Integer tookMillis,
            @Nullable String request,
            @Nullable String response,
            @Nullable Failure error) {

        /** Of a delivery that was not attempted. */
        static AttemptResult skipped(Failure why) {
            return new AttemptResult(Status.SKIPPED, null, null, null, null, why);
        }

        AttemptResult withStatus(Status other) {
            return new AttemptResult(other, httpStatus, tookMillis, request, response, error);
        }
    }

    void record(Tx tx, long delivery, AttemptResult result) {
        var error = result.error();
        tx.update("""
                        UPDATE webhooks.deliveries
                        SET status = :status, attempts = attempts + CASE WHEN :status = 'skipped' THEN 0 ELSE 1 END,
                            attempted_at = clock_timestamp(), http_status = :http, took_ms = :took,
                            request = :request, response = :response, error = :error
                        WHERE id = :id
                        """)
                .bind("id", delivery)
                .bind("status", result.status().code())
                .bind("http", result.httpStatus())
                .bind("took", result.tookMillis())
                .bind("request", result.request())
                .bind("response", result.response())
                .bind("error", error == null ? null : error.code())
                .execute();
    }

    void retryIn(Tx tx, ClaimedQueue claim, Duration delay) {
        tx.update("""
                        UPDATE webhooks.queues SET due_at = now() + :delay * interval '1 ms'
                        WHERE webhook_id = :webhook AND queue = :queue
                        """)
                .bind("webhook", claim.webhook())
                .bind("queue", claim.queue())
                .bind("delay", delay.toMillis())
                .execute();
    }

    void end(Tx tx, ClaimedQueue claim) {
        tx.update("DELETE FROM webhooks.queues WHERE webhook_id = :webhook AND queue = :queue")
                .bind("webhook", claim.webhook())
                .bind("queue", claim.queue())
                .execute();
    }

    /** Whether more than {@code max} deliveries wait for a webhook. */
    boolean exceeds(Reads reads, long webhook, int max) {
        return reads.query("""
                        SELECT count(*) > :max
                        FROM (SELECT FROM webhooks.deliveries
                              WHERE webhook_id = :webhook AND status = 'pending'
                              LIMIT :max + 1) AS pending
                        """)
                .bind("webhook", webhook)
                .bind("max", max)
                .mapTo(Boolean.class)
                .one();
    }

    /** How many queues have something to deliver, at most {@code max}. */
    int countQueues(Reads reads, int max) {
        return reads.query("SELECT count(*) FROM (SELECT FROM webhooks.queues LIMIT :max) AS q")
                .bind("max", max)
                .mapTo(Integer.class)
                .one();
    }

    /** Those of a webhook, the newest first. */
    List<OutgoingDelivery> list(Reads reads, long webhook, @Nullable Status status, long before, int limit) {
        return list(reads, "", webhook, status, before, limit)
                .map(DeliveryQueueStore::delivery)
                .list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query list(Reads reads, String lead, long webhook, @Nullable Status status, long before, int limit) {
        return reads.query(lead + """
                SELECT %s, NULL AS request, NULL AS response FROM webhooks.deliveries
                WHERE webhook_id = :webhook AND id < :before %s
                ORDER BY id DESC
                LIMIT :limit
                """.formatted(SUMMARY, status == null ? "" : "AND status = :status"))
                .bind("webhook", webhook)
                .bind("status", status == null ? null : status.code())
                .bind("before", before)
                .bind("limit", limit);
    }

    Optional<OutgoingDelivery> find(Reads reads, long webhook, long id) {
        return reads.query("""
                        SELECT %s, request, response FROM webhooks.deliveries WHERE webhook_id = :webhook AND id = :id
                        """.formatted(SUMMARY))
                .bind("webhook", webhook)
                .bind("id", id)
                .map(DeliveryQueueStore::delivery)
                .findOne();
    }

    /** Deletes up to {@code limit} that are over, of before the id. */
    int sweep(Tx tx, long before, int limit) {
        return tx.update("""
                        DELETE FROM webhooks.deliveries
                        WHERE id IN (SELECT id FROM webhooks.deliveries
                                     WHERE id < :before AND status <> 'pending'
                                     ORDER BY id
                                     LIMIT :limit
                                     FOR UPDATE SKIP LOCKED)
                        """).bind("before", before).bind("limit", limit).execute();
    }

    private static OutgoingDelivery delivery(ResultSet row) throws SQLException {
        var error = row.getString("error");
        return new OutgoingDelivery(
                row.getLong("id"),
                row.getLong("webhook_id"),
                row.getLong("event_id"),
                row.getString("type"),
                row.getString("key"),
                row.getString("queue"),
                Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                row.getInt("attempts"),
                Columns.instant(row, "created_at"),
                Columns.instantOrNull(row, "attempted_at"),
                number(row, "http_status"),
                number(row, "took_ms"),
                row.getString("request"),
                row.getString("response"),
                error == null ? null : Failure.of(error));
    }

    private static @Nullable Integer number(ResultSet row, String column) throws SQLException {
        int number = row.getInt(column);
        return row.wasNull() ? null : number;
    }
}
