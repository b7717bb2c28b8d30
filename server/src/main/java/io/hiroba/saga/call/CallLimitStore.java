package io.hiroba.saga.call;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.call.Services.ServiceLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Reads and writes the limits of services, the permits of their calls and who waits for them. */
final class CallLimitStore {

    /** The limits of a service that is locked, with the calls that it could take now by its rate. */
    record LockedLimits(ServiceLimits limits, double tokens) {}

    /** A saga that waits, or has stopped to. */
    record Waiter(SagaId saga, boolean isLive) {}

    Map<String, ServiceLimits> find(Reads reads, Collection<String> services) {
        var all = new HashMap<String, ServiceLimits>();
        reads.query("""
                SELECT service, max_concurrent, rate_per_second FROM saga.service_limits WHERE service = ANY (:services)
                """)
                .bindArray("services", String.class, services)
                .map(row -> all.put(
                        row.getString("service"),
                        new ServiceLimits(
                                row.getObject("max_concurrent", Integer.class), row.getBigDecimal("rate_per_second"))))
                .list();
        return all;
    }

    void save(Tx tx, String service, ServiceLimits limits, String by) {
        tx.update("""
                INSERT INTO saga.service_limits (service, max_concurrent, rate_per_second, updated_by)
                VALUES (:service, :concurrent, :rate, :by)
                ON CONFLICT (service) DO UPDATE
                SET max_concurrent = :concurrent, rate_per_second = :rate, updated_by = :by, updated_at = now()
                """)
                .bind("service", service)
                .bind("concurrent", limits.maxConcurrent())
                .bind("rate", limits.ratePerSecond())
                .bind("by", by)
                .execute();
    }

    void delete(Tx tx, String service) {
        tx.update("DELETE FROM saga.service_limits WHERE service = :service")
                .bind("service", service)
                .execute();
    }

    /** A second's worth of calls may be made at once after a pause, and one in any case. */
    Optional<LockedLimits> lock(Tx tx, String service) {
        return tx.query("""
                SELECT max_concurrent, rate_per_second,
                       least(extract(epoch FROM clock_timestamp() - greatest(next_slot, 'epoch')) * rate_per_second,
                           greatest(1, rate_per_second)) AS tokens
                FROM saga.service_limits
                WHERE service = :service
                FOR UPDATE
                """)
                .bind("service", service)
                .map(row -> new LockedLimits(
                        new ServiceLimits(
                                row.getObject("max_concurrent", Integer.class), row.getBigDecimal("rate_per_second")),
                        row.getDouble("tokens")))
                .findOne();
    }

    /** The calls under way of other sagas. */
    int running(Tx tx, String service, SagaId saga) {
        tx.update("DELETE FROM saga.call_permits WHERE service = :service AND until <= now()")
                .bind("service", service)
                .execute();
        return tx.query("""
                SELECT coalesce(sum(calls), 0)::int AS calls FROM saga.call_permits
                WHERE service = :service AND saga_id <> :saga
                """)
                .bind("service", service)
                .bind("saga", saga.value())
                .map(row -> row.getInt("calls"))
                .one();
    }

    /** The first {@code max} that wait, in the order in which they came; sagas that have ended or are stuck do so no more. */
    List<Waiter> waiters(Reads reads, String service, int max) {
        return reads.query("""
                SELECT w.saga_id,
                       w.seen_at > now() - interval '3 minutes'
                           AND coalesce(s.status IN ('STARTED', 'RUNNING', 'COMPENSATING') AND NOT s.stuck, true) AS live
                FROM saga.call_waits AS w
                LEFT JOIN saga.saga_states AS s ON s.id = w.saga_id
                WHERE w.service = :service
                ORDER BY w.since
                LIMIT :max
                """)
                .bind("service", service)
                .bind("max", max)
                .map(row -> new Waiter(new SagaId(row.getObject("saga_id", UUID.class)), row.getBoolean("live")))
                .list();
    }

    /** The number of those that came before {@code saga}, which waits; at most {@code max}. */
    int rank(Reads reads, String service, SagaId saga, int max) {
        return reads.query("""
                SELECT count(*) AS rank
                FROM (
                    SELECT FROM saga.call_waits
                    WHERE service = :service
                      AND since < (SELECT since FROM saga.call_waits WHERE service = :service AND saga_id = :saga)
                    LIMIT :max) AS earlier
                """)
                .bind("service", service)
                .bind("saga", saga.value())
                .bind("max", max)
                .map(row -> row.getInt("rank"))
                .one();
    }

    void await(Tx tx, String service, SagaId saga) {
        tx.update("""
                INSERT INTO saga.call_waits (service, saga_id) VALUES (:service, :saga)
                ON CONFLICT (service, saga_id) DO UPDATE SET seen_at = now()
                """).bind("service", service).bind("saga", saga.value()).execute();
    }

    void stopWaiting(Tx tx, String service, Collection<SagaId> sagas) {
        tx.update("DELETE FROM saga.call_waits WHERE service = :service AND saga_id = ANY (:sagas)")
                .bind("service", service)
                .bindArray("sagas", UUID.class, sagas, SagaId::value)
                .execute();
    }

    /** Counts calls against the rate. */
    void spend(Tx tx, String service, int calls) {
        tx.update("""
                UPDATE saga.service_limits
                SET next_slot = greatest(next_slot, clock_timestamp() - greatest(1, 1 / rate_per_second) * interval '1 second')
                        + :calls / rate_per_second * interval '1 second'
                WHERE service = :service
                """).bind("service", service).bind("calls", calls).execute();
    }

    /** Returns when the permit ends, which tells it from one that another node takes later for the same saga. */
    Instant permit(Tx tx, String service, SagaId saga, int calls, Duration timeout) {
        return tx.query("""
                INSERT INTO saga.call_permits (service, saga_id, calls, until)
                VALUES (:service, :saga, :calls, now() + :ms * interval '1 ms')
                ON CONFLICT (service, saga_id) DO UPDATE SET calls = excluded.calls, until = excluded.until
                RETURNING until
                """)
                .bind("service", service)
                .bind("saga", saga.value())
                .bind("calls", calls)
                .bind("ms", timeout.toMillis())
                .map(row -> Columns.instant(row, "until"))
                .one();
    }

    /** Gives the permit back that a saga has, for a call that ends later; the caller must know that it is still the saga's call. */
    void release(Tx tx, String service, SagaId saga) {
        tx.update("DELETE FROM saga.call_permits WHERE service = :service AND saga_id = :saga")
                .bind("service", service)
                .bind("saga", saga.value())
                .execute();
    }

    /** Gives the permit back that was taken until {@code until}, and none that was taken since. */
    void release(Tx tx, String service, SagaId saga, Instant until) {
        tx.update("DELETE FROM saga.call_permits WHERE service = :service AND saga_id = :saga AND until = :until")
                .bind("service", service)
                .bind("saga", saga.value())
                .bind("until", until)
                .execute();
    }

    /** Has the first that rests while it waits ask again at once; whether there was one. */
    boolean wakeNext(Tx tx, String service, int count) {
        return tx.update("""
                        UPDATE saga.saga_states
                        SET wake_at = now()
                        WHERE id IN (
                                SELECT w.saga_id FROM saga.call_waits AS w
                                JOIN saga.saga_states AS s ON s.id = w.saga_id
                                WHERE w.service = :service AND s.owner IS NULL AND s.wake_at > now()
                                ORDER BY w.since
                                LIMIT :count)
                          AND owner IS NULL AND wake_at > now()
                        """).bind("service", service).bind("count", count).execute() > 0;
    }
}
