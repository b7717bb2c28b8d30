package io.hiroba.saga.engine;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Duration;
import java.util.Optional;

/** Reads and writes the leases of nodes. */
final class NodeStore {

    void insert(Tx tx, long id, Duration lease) {
        tx.update("""
                INSERT INTO saga.nodes (id, lease_until) VALUES (:id, now() + :lease * interval '1 ms')
                """).bind("id", id).bind("lease", lease.toMillis()).execute();
    }

    /** False if the lease has expired. */
    boolean renew(Tx tx, long id, Duration lease) {
        return tx.update("""
                UPDATE saga.nodes SET lease_until = now() + :lease * interval '1 ms'
                WHERE id = :id AND lease_until > clock_timestamp()
                """).bind("id", id).bind("lease", lease.toMillis()).execute() == 1;
    }

    /** The time until the next lease of another node ends, if it is not renewed. */
    Optional<Duration> untilNextEnd(Reads reads, long except) {
        return reads.query("""
                        SELECT CAST(ceil(extract(epoch FROM min(lease_until) - clock_timestamp()) * 1000) AS bigint)
                        FROM saga.nodes
                        WHERE id <> :except AND lease_until > clock_timestamp()
                        """)
                .bind("except", except)
                .mapTo(Long.class)
                .findOne()
                .map(Duration::ofMillis);
    }

    void delete(Tx tx, long id) {
        tx.update("DELETE FROM saga.nodes WHERE id = :id").bind("id", id).execute();
    }

    /** Deletes expired nodes that own no saga. */
    void deleteDead(Tx tx) {
        tx.update("""
                DELETE FROM saga.nodes AS n
                WHERE lease_until < now() - interval '1 minute'
                  AND NOT EXISTS (SELECT FROM saga.saga_states AS s WHERE s.owner = n.id)
                """).execute();
    }
}
