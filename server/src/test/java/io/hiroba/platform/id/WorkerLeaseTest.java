package io.hiroba.platform.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.problem.Problem;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkerLeaseTest {

    private static final TestDatabase database = TestDatabase.create();
    private static final Db db = database.db();
    private static final Duration TERM = Duration.ofSeconds(30);

    @AfterAll
    static void drop() {
        database.close();
    }

    @BeforeEach
    void freeAllNumbers() {
        db.useTransaction(tx -> tx.update(
                        "UPDATE platform.id_workers SET holder = NULL, ceiling_ms = 0, expires_at = '-infinity'")
                .execute());
    }

    private static int workerOf(long id) {
        return (int) (id >>> 12 & 0xFF);
    }

    @Test
    void nodesGetDifferentNumbersUntilAll256AreTaken() {
        var leases = new ArrayList<WorkerLease>();
        try {
            var workers = new HashSet<Integer>();
            for (int node = 0; node < 256; node++) {
                var lease = new WorkerLease(db, Clock.systemUTC(), TERM);
                leases.add(lease);
                workers.add(workerOf(lease.ids().next()));
            }
            assertThat(workers).hasSize(256);
            try (var late = new WorkerLease(db, Clock.systemUTC(), TERM)) {
                assertThatThrownBy(() -> late.ids().next())
                        .isInstanceOf(Problem.class)
                        .hasMessageContaining("All 256 worker numbers");
            }
        } finally {
            leases.forEach(WorkerLease::close);
        }
    }

    @Test
    void aNodeThatWasTakenForDeadStopsIssuingAndComesBackWithAnotherNumber() {
        var clock = new SettableClock(Instant.now());
        try (var lease = new WorkerLease(db, clock, TERM)) {
            long before = lease.ids().next();
            // Its lease runs out unseen, and another node takes the very same number.
            db.useTransaction(
                    tx -> tx.update("""
                            UPDATE platform.id_workers SET holder = gen_random_uuid() WHERE worker = :worker
                            """).bind("worker", workerOf(before)).execute());
            clock.advance(TERM.multipliedBy(2));
            long after = lease.ids().next();
            assertThat(workerOf(after)).isNotEqualTo(workerOf(before));
            assertThat(after).isGreaterThan(before);
        }
    }

    @Test
    void theNextHolderOfANumberStartsAboveAllItsFormerHolderCouldIssue() {
        var ahead = new SettableClock(Instant.now().plus(Duration.ofHours(1)));
        long first;
        try (var lease = new WorkerLease(db, ahead, TERM)) {
            first = lease.ids().next();
        }
        // Leave only that number free, and let a node whose clock is an hour behind take it.
        db.useTransaction(tx -> tx.update("""
                        UPDATE platform.id_workers SET expires_at = 'infinity' WHERE worker <> :worker
                        """).bind("worker", workerOf(first)).execute());
        try (var lease = new WorkerLease(db, Clock.systemUTC(), TERM)) {
            long second = lease.ids().next();
            assertThat(workerOf(second)).isEqualTo(workerOf(first));
            assertThat(Ids.createdAt(second))
                    .isAfter(Ids.createdAt(first).plus(TERM).minusMillis(1));
        }
    }

    @Test
    void aNumberGivenBackCanBeTakenAgain() {
        db.useTransaction(tx -> tx.update("UPDATE platform.id_workers SET expires_at = 'infinity' WHERE worker <> 17")
                .execute());
        for (int i = 0; i < 3; i++) {
            try (var lease = new WorkerLease(db, Clock.systemUTC(), TERM)) {
                assertThat(workerOf(lease.ids().next())).isEqualTo(17);
            }
        }
    }
}
