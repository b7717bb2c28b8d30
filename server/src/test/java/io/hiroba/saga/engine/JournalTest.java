package io.hiroba.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.hiroba.testkit.TestDatabase;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JournalTest {

    private static final Executor THREADS = Thread::startVirtualThread;

    private final TestDatabase database = TestDatabase.create();
    private final Db db = database.db();
    private final Journal journal = new Journal(db, id -> {}, Tracing.OFF);

    @AfterEach
    void close() {
        journal.close();
        database.close();
    }

    private SagaId saga(int fence) {
        var id = new SagaId(UUID.randomUUID());
        db.useTransaction(
                tx -> tx.update("""
                INSERT INTO saga.saga_states (id, workflow_name, workflow_version, owner, fence) VALUES (:id, 'w', 1, 1, :fence)
                """).bind("id", id.value()).bind("fence", fence).execute());
        return id;
    }

    private CompletableFuture<Optional<SagaChange.Written>> write(SagaId id, int fence, String step) {
        var log = new SagaChange.LogEntry(
                0,
                step,
                StepAction.EXECUTE,
                fence,
                StepStatus.SUCCESS,
                null,
                null,
                null,
                Duration.ZERO,
                null,
                null,
                false);
        var change = new SagaChange(
                id, fence, SagaStatus.STARTED, SagaStatus.RUNNING, 0, null, false, false, null, 0, false, log, null);
        return CompletableFuture.supplyAsync(() -> journal.write(change), THREADS);
    }

    /** Both writers are kept waiting at rows that are locked, so that what comes next goes together. */
    @Test
    void ofTwoDriversInOneBatchOnlyTheOneWithTheFenceWrites() {
        var one = saga(1);
        var other = saga(1);
        var contested = saga(5);
        var writes = db.inTransaction(tx -> {
            tx.query("SELECT id FROM saga.saga_states WHERE id IN (:one, :other) FOR UPDATE")
                    .bind("one", one.value())
                    .bind("other", other.value())
                    .mapTo(UUID.class)
                    .list();
            var held = write(one, 1, "a");
            awaitWaiting(1);
            var alsoHeld = write(other, 1, "a");
            awaitWaiting(2);
            return new Writes(held, alsoHeld, write(contested, 3, "stale"), write(contested, 5, "present"));
        });
        assertThat(writes.held().join()).isPresent();
        assertThat(writes.alsoHeld().join()).isPresent();
        assertThat(writes.stale().join()).isEmpty();
        assertThat(writes.present().join()).isPresent();
        var steps = db.read(reads -> reads.query("SELECT step_name FROM saga.saga_step_logs WHERE saga_id = :id")
                .bind("id", contested.value())
                .mapTo(String.class)
                .list());
        assertThat(steps).containsExactly("present");
    }

    private record Writes(
            CompletableFuture<Optional<SagaChange.Written>> held,
            CompletableFuture<Optional<SagaChange.Written>> alsoHeld,
            CompletableFuture<Optional<SagaChange.Written>> stale,
            CompletableFuture<Optional<SagaChange.Written>> present) {}

    private void awaitWaiting(int count) {
        Awaitility.await()
                .until(() -> db.read(reads -> reads.query("""
                                SELECT count(*) = :count FROM pg_stat_activity
                                WHERE datname = current_database() AND wait_event_type = 'Lock'
                                """)
                        .bind("count", count)
                        .mapTo(Boolean.class)
                        .one()));
    }
}
