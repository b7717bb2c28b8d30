package io.hiroba.platform.id;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator.Grant;
import io.hiroba.platform.id.WorkerLease.Holder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Takes, renews and releases worker numbers. */
final class WorkerLeaseStore {

    Optional<Grant> renew(Tx tx, int worker, UUID holder, long from, Duration term) {
        return tx.query("""
                UPDATE platform.id_workers
                SET ceiling_ms = greatest(ceiling_ms, :from + :term), expires_at = now() + :term * interval '1 ms'
                WHERE worker = :worker AND holder = :holder
                RETURNING worker, ceiling_ms
                """)
                .bind("worker", worker)
                .bind("holder", holder)
                .bind("from", from)
                .bind("term", term.toMillis())
                .map(row -> new Grant(row.getInt("worker"), 0, row.getLong("ceiling_ms")))
                .findOne();
    }

    /** Leases the free number that was used longest ago, whose ids are the least likely to be ahead of this clock. */
    Optional<Grant> take(Tx tx, UUID holder, long from, Duration term) {
        return tx.query("""
                WITH free AS (
                    SELECT worker, ceiling_ms FROM platform.id_workers
                    WHERE expires_at < now()
                    ORDER BY ceiling_ms, worker
                    LIMIT 1
                    FOR UPDATE SKIP LOCKED)
                UPDATE platform.id_workers AS w
                SET holder = :holder,
                    ceiling_ms = greatest(free.ceiling_ms, :from) + :term,
                    expires_at = now() + :term * interval '1 ms'
                FROM free
                WHERE w.worker = free.worker
                RETURNING w.worker, free.ceiling_ms AS floor_ms, w.ceiling_ms
                """)
                .bind("holder", holder)
                .bind("from", from)
                .bind("term", term.toMillis())
                .map(row -> new Grant(row.getInt("worker"), row.getLong("floor_ms"), row.getLong("ceiling_ms")))
                .findOne();
    }

    /** Those whose lease has run out are gone, if they were not just too busy to renew it. */
    List<Holder> holders(Reads reads, UUID self, Duration term) {
        return reads.query("""
                SELECT worker, holder = :self AS own,
                       CAST(:term - extract(epoch FROM expires_at - clock_timestamp()) * 1000 AS bigint) AS since_ms
                FROM platform.id_workers
                WHERE holder IS NOT NULL AND expires_at > now() - interval '1 hour'
                ORDER BY worker
                """)
                .bind("self", self)
                .bind("term", term.toMillis())
                .map(row -> {
                    var since = Duration.ofMillis(Math.max(0, row.getLong("since_ms")));
                    return new Holder(row.getInt("worker"), row.getBoolean("own"), since, since.compareTo(term) > 0);
                })
                .list();
    }

    /** Releases the number; its ceiling stays. */
    void release(Tx tx, UUID holder) {
        tx.update("""
                UPDATE platform.id_workers
                SET holder = NULL, expires_at = '-infinity'
                WHERE holder = :holder
                """).bind("holder", holder).execute();
    }
}
