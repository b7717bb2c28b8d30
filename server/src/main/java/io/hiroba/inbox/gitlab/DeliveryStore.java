package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of webhook deliveries. */
final class DeliveryStore {

    private static final String SELECT = """
            SELECT id, connection_id, event, delivery_key, state, attempts, outcome, received_at, next_at, handled_at
            FROM inbox.deliveries
            WHERE connection_id = :connection
            """;

    /** One statement in its own transaction, so the delivery is durable when it returns. Empty for a repetition. */
    Optional<DeliveryId> insert(
            Reads reads,
            DeliveryId id,
            ConnectionId connection,
            String key,
            String event,
            byte[] payload,
            Instant now) {
        return reads.query("""
                        INSERT INTO inbox.deliveries
                            (id, connection_id, delivery_key, event, payload, next_at, received_at)
                        VALUES (:id, :connection, :key, :event, :payload, :now, :now)
                        ON CONFLICT (connection_id, delivery_key) DO NOTHING
                        RETURNING id
                        """)
                .bind("id", id.value())
                .bind("connection", connection.value())
                .bind("key", key)
                .bind("event", event)
                .bind("payload", payload)
                .bind("now", now)
                .map(row -> new DeliveryId(row.getLong("id")))
                .findOne();
    }

    Optional<DeliveryId> byKey(Reads reads, ConnectionId connection, String key) {
        return reads.query("""
                        SELECT id FROM inbox.deliveries WHERE connection_id = :connection AND delivery_key = :key
                        """)
                .bind("connection", connection.value())
                .bind("key", key)
                .map(row -> new DeliveryId(row.getLong("id")))
                .findOne();
    }

    /** Claims the delivery that has been due longest, locked until {@code tx} ends. */
    Optional<DeliveryWorker.Call> claim(Tx tx, Instant now) {
        return tx.query("""
                        SELECT id, connection_id, event, payload, received_at
                        FROM inbox.deliveries
                        WHERE state = 'waiting' AND next_at <= :now
                        ORDER BY next_at, id
                        LIMIT 1
                        FOR UPDATE SKIP LOCKED
                        """)
                .bind("now", now)
                .map(row -> new DeliveryWorker.Call(
                        new DeliveryId(row.getLong("id")),
                        new ConnectionId(row.getLong("connection_id")),
                        row.getString("event"),
                        row.getBytes("payload"),
                        Columns.instant(row, "received_at")))
                .findOne();
    }

    void end(Tx tx, DeliveryId id, DeliveryState state, String outcome, Instant now) {
        tx.update("""
                        UPDATE inbox.deliveries
                        SET state = :state, outcome = :outcome, attempts = attempts + 1, handled_at = :now
                        WHERE id = :id
                        """)
                .bind("state", state.text())
                .bind("outcome", outcome)
                .bind("now", now)
                .bind("id", id.value())
                .execute();
    }

    /**
     * The numbers of earlier attempts and retries.
     *
     * @param retries including those after transient failures
     */
    record Tries(int attempts, int retries) {}

    Optional<Tries> tries(Tx tx, DeliveryId id) {
        return tx.query("""
                        SELECT attempts, retries FROM inbox.deliveries
                        WHERE id = :id AND state = 'waiting'
                        FOR UPDATE
                        """)
                .bind("id", id.value())
                .map(row -> new Tries(row.getInt("attempts"), row.getInt("retries")))
                .findOne();
    }

    void retryLater(Tx tx, DeliveryId id, int attempts, Instant nextAt, String outcome) {
        tx.update("""
                        UPDATE inbox.deliveries
                        SET attempts = :attempts, retries = retries + 1, next_at = :next, outcome = :outcome
                        WHERE id = :id
                        """)
                .bind("attempts", attempts)
                .bind("next", nextAt)
                .bind("outcome", outcome)
                .bind("id", id.value())
                .execute();
    }

    boolean requeue(Tx tx, ConnectionId connection, DeliveryId id, Instant now) {
        return tx.update("""
                                UPDATE inbox.deliveries
                                SET state = 'waiting', attempts = 0, retries = 0, next_at = :now, handled_at = NULL
                                WHERE connection_id = :connection AND id = :id AND state <> 'waiting'
                                """)
                        .bind("now", now)
                        .bind("connection", connection.value())
                        .bind("id", id.value())
                        .execute()
                == 1;
    }

    /** The newest first. */
    List<WebhookDelivery> list(
            Reads reads, ConnectionId connection, WebhookDeliveries.Filter filter, long before, int limit) {
        var state = filter.state();
        return reads.queryPlannedAnew(SELECT + """
                        AND id < :before
                        AND (CAST(:state AS TEXT) IS NULL OR state = :state)
                        AND (CAST(:event AS TEXT) IS NULL OR event = :event)
                        ORDER BY id DESC
                        LIMIT :limit
                        """)
                .bind("connection", connection.value())
                .bind("before", before)
                .bind("state", state == null ? null : state.text())
                .bind("event", filter.event())
                .bind("limit", limit)
                .map(row -> delivery(row))
                .list();
    }

    Optional<WebhookDelivery> find(Reads reads, ConnectionId connection, DeliveryId id) {
        return reads.query(SELECT + "AND id = :id")
                .bind("connection", connection.value())
                .bind("id", id.value())
                .map(row -> delivery(row))
                .findOne();
    }

    Optional<byte[]> payload(Reads reads, ConnectionId connection, DeliveryId id) {
        return reads.query("SELECT payload FROM inbox.deliveries WHERE connection_id = :connection AND id = :id")
                .bind("connection", connection.value())
                .bind("id", id.value())
                .mapTo(byte[].class)
                .findOne();
    }

    List<WebhookDeliveries.EventCount> counts(Reads reads, ConnectionId connection) {
        return reads.query("""
                        SELECT event, state, count(*) AS deliveries
                        FROM inbox.deliveries
                        WHERE connection_id = :connection
                        GROUP BY event, state
                        ORDER BY event, state
                        """)
                .bind("connection", connection.value())
                .map(row -> new WebhookDeliveries.EventCount(
                        row.getString("event"), DeliveryState.parse(row.getString("state")), row.getLong("deliveries")))
                .list();
    }

    int sweep(Tx tx, Instant before, int limit) {
        return tx.update("""
                        DELETE FROM inbox.deliveries
                        WHERE id IN (SELECT id FROM inbox.deliveries
                                     WHERE received_at < :before AND state <> 'waiting'
                                     ORDER BY received_at
                                     LIMIT :limit
                                     FOR UPDATE SKIP LOCKED)
                        """).bind("before", before).bind("limit", limit).execute();
    }

    int sweepPipelines(Tx tx, Instant before, int limit) {
        return tx.update("""
                        DELETE FROM inbox.pipelines
                        WHERE (connection_id, number) IN (
                            SELECT connection_id, number FROM inbox.pipelines
                            WHERE created_at < :before
                            ORDER BY created_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """).bind("before", before).bind("limit", limit).execute();
    }

    private static WebhookDelivery delivery(ResultSet row) throws SQLException {
        return new WebhookDelivery(
                new DeliveryId(row.getLong("id")),
                new ConnectionId(row.getLong("connection_id")),
                row.getString("event"),
                row.getString("delivery_key"),
                DeliveryState.parse(row.getString("state")),
                row.getInt("attempts"),
                outcome(row),
                Columns.instant(row, "received_at"),
                Columns.instant(row, "next_at"),
                handledAt(row));
    }

    private static @Nullable Text outcome(ResultSet row) throws SQLException {
        var stored = row.getString("outcome");
        return stored == null ? null : StoredText.read(stored);
    }

    private static @Nullable Instant handledAt(ResultSet row) throws SQLException {
        return Columns.instantOrNull(row, "handled_at");
    }
}
