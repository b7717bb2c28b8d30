package io.hiroba.saga.call;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.call.ServiceHealth.SeenWorker;
import io.hiroba.saga.call.ServiceHealth.WorkerLoad;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes how often services were called and how that went, and reads it with the permits that are in use. */
final class ServiceHealthStore {

    /**
     * The calls of one service in one slot of one node.
     *
     * @param error the reason of the last failure, as it is stored; null where all went well
     */
    record SlotCalls(
            String service,
            Instant slot,
            int calls,
            int failures,
            List<Integer> latencies,
            @Nullable String error,
            @Nullable SagaId failedSaga,
            @Nullable Instant failedAt,
            boolean isRecent) {

        SlotCalls {
            latencies = List.copyOf(latencies);
        }
    }

    /** Replaces what the node has written of the slot. */
    void save(Tx tx, UUID node, SlotCalls calls) {
        tx.update("""
                INSERT INTO saga.service_calls (
                    service, slot, node, calls, failures, latencies, last_error, failed_saga, failed_at)
                VALUES (:service, :slot, :node, :calls, :failures, :latencies, :error, CAST(:saga AS uuid), :failedAt)
                ON CONFLICT (service, slot, node) DO UPDATE
                SET calls = excluded.calls, failures = excluded.failures, latencies = excluded.latencies,
                    last_error = excluded.last_error, failed_saga = excluded.failed_saga, failed_at = excluded.failed_at
                """)
                .bind("service", calls.service())
                .bind("slot", calls.slot())
                .bind("node", node)
                .bind("calls", calls.calls())
                .bind("failures", calls.failures())
                .bindArray("latencies", Integer.class, calls.latencies())
                .bind("error", calls.error())
                .bind(
                        "saga",
                        calls.failedSaga() == null ? null : calls.failedSaga().toString())
                .bind("failedAt", calls.failedAt())
                .execute();
    }

    void deleteOld(Tx tx) {
        tx.update("DELETE FROM saga.service_calls WHERE slot < now() - interval '25 hours'")
                .execute();
    }

    static final String LAST_DAY = """
            SELECT service, slot, calls, failures, latencies, last_error, failed_saga, failed_at,
                   slot >= now() - interval '1 hour' AS recent
            FROM saga.service_calls
            WHERE service = ANY (:services) AND slot >= now() - interval '1 day'
            """;

    List<SlotCalls> lastDay(Reads reads, Collection<String> services) {
        return reads.query(LAST_DAY)
                .bindArray("services", String.class, services)
                .map(ServiceHealthStore::calls)
                .list();
    }

    /** The permits of a service that are in use, and the sagas that wait for one, up to a limit. */
    record PermitUse(int used, int waiting) {}

    Map<String, PermitUse> permits(Reads reads, Collection<String> services, int max) {
        var use = new HashMap<String, PermitUse>();
        reads.query("""
                SELECT s.service,
                       (SELECT coalesce(sum(p.calls), 0) FROM saga.call_permits AS p
                        WHERE p.service = s.service AND p.until > now())::int AS used,
                       (SELECT count(*)
                        FROM (SELECT FROM saga.call_waits AS w
                              WHERE w.service = s.service AND w.seen_at > now() - interval '3 minutes'
                              LIMIT :max) AS live)::int AS waiting
                FROM unnest(:services) AS s (service)
                """)
                .bindArray("services", String.class, services)
                .bind("max", max)
                .map(row -> use.put(row.getString("service"), new PermitUse(row.getInt("used"), row.getInt("waiting"))))
                .list();
        return use;
    }

    private static SlotCalls calls(ResultSet row) throws SQLException {
        var saga = row.getObject("failed_saga", UUID.class);
        return new SlotCalls(
                row.getString("service"),
                Columns.instant(row, "slot"),
                row.getInt("calls"),
                row.getInt("failures"),
                List.of((Integer[]) row.getArray("latencies").getArray()),
                row.getString("last_error"),
                saga == null ? null : new SagaId(saga),
                Columns.instantOrNull(row, "failed_at"),
                row.getBoolean("recent"));
    }

    /** The tasks of these services, and the workers that were seen last, of each up to {@code max}. */
    Map<String, WorkerLoad> load(Reads reads, Collection<String> services, int max) {
        var workers = new HashMap<String, List<SeenWorker>>();
        reads.query("""
                SELECT w.service, w.name, w.seen_at,
                       (SELECT count(*) FROM saga.tasks AS t
                        WHERE t.service = w.service AND t.state = 'LEASED' AND t.worker = w.name) AS running
                FROM unnest(:services) AS n (service)
                CROSS JOIN LATERAL (
                    SELECT service, name, seen_at FROM saga.workers
                    WHERE service = n.service
                    ORDER BY seen_at DESC, name
                    LIMIT :max) AS w
                ORDER BY w.service, w.seen_at DESC, w.name
                """)
                .bindArray("services", String.class, services)
                .bind("max", max)
                .map(row -> workers.computeIfAbsent(row.getString("service"), name -> new ArrayList<>())
                        .add(new SeenWorker(
                                row.getString("name"), Columns.instant(row, "seen_at"), row.getInt("running"))))
                .list();
        var all = new HashMap<String, WorkerLoad>();
        reads.query("""
                SELECT n.service,
                       (SELECT count(*) FROM saga.tasks AS t WHERE t.service = n.service AND t.state = 'QUEUED') AS waiting,
                       (SELECT count(*) FROM saga.tasks AS t WHERE t.service = n.service AND t.state = 'LEASED') AS running
                FROM unnest(:services) AS n (service)
                """)
                .bindArray("services", String.class, services)
                .map(row -> all.put(
                        row.getString("service"),
                        new WorkerLoad(
                                row.getInt("waiting"),
                                row.getInt("running"),
                                workers.getOrDefault(row.getString("service"), List.of()))))
                .list();
        return all;
    }
}
