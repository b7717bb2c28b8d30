package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.TestDatabase;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A saga is shown with its log, of which no more is read than can be shown. */
@Tag("slow")
class SagaLogTest {

    private static final TestDatabase database = TestDatabase.create();

    private final SagaStore store = new SagaStore();

    @AfterAll
    static void close() {
        database.close();
    }

    /** A saga whose step 0 was done at the first attempt, and step 1 never at {@code attempts}. */
    private static SagaId saga(int attempts, String answer) {
        var id = UUID.randomUUID();
        database.db().useTransaction(tx -> {
            tx.update("""
                    INSERT INTO saga.saga_states (id, workflow_name, workflow_version, status, payload)
                    VALUES (:id, 'order', 1, 'RUNNING', '{"order": 7}')
                    """).bind("id", id).execute();
            tx.update("""
                    INSERT INTO saga.saga_step_logs (
                        saga_id, step_index, action, attempt, step_name, status, response_payload, started_at)
                    SELECT :id, least(n, 1), 'EXECUTE', greatest(n, 1), 'step-' || least(n, 1),
                           CASE WHEN n = 0 THEN 'SUCCESS' ELSE 'FAILED' END, %s, now() + n * interval '1 s'
                    FROM generate_series(0, :attempts) AS n
                    """.formatted(answer))
                    .bind("id", id)
                    .bind("attempts", attempts)
                    .execute();
        });
        return new SagaId(id);
    }

    private SagaStore.Logged read(SagaId id) {
        return database.db().read(reads -> store.withLog(reads, id)).orElseThrow();
    }

    @Test
    void whatIsKeptSmallAndIsLargeAsTextIsMeasuredAsText() {
        var found = read(saga(29, "jsonb_build_object('x', repeat('a', 1000000))"));
        assertThat(found.log()).hasSize(30);
        assertThat(found.leftOut()).isZero();
        assertThat(found.log())
                .filteredOn(each -> !each.leftOut())
                .hasSize(8)
                .allSatisfy(each -> assertThat(each.answer()).isNotNull());
        assertThat(found.log())
                .filteredOn(StepLog::leftOut)
                .hasSize(22)
                .allSatisfy(each -> assertThat(each.answer()).isNull());
    }

    @Test
    void whatIsLargeEvenAsItIsKeptIsLeftOutToo() {
        var answer = """
                jsonb_build_object('x', n, 'y', (
                    SELECT string_agg(md5(i::text || n), '') FROM generate_series(1, 31250) AS i))""";
        var found = read(saga(14, answer));
        assertThat(found.log()).filteredOn(each -> !each.leftOut()).hasSize(8);
        assertThat(found.log()).filteredOn(StepLog::leftOut).hasSize(7);
    }

    @Test
    void ofManyAttemptsTheNewestAreThereAndTheLastAtEachStep() {
        var found = read(saga(1000, "NULL"));
        assertThat(found.leftOut()).isEqualTo(600);
        assertThat(found.log()).hasSize(SagaStore.MAX_ATTEMPTS + 1);
        assertThat(found.log().getFirst().status()).isEqualTo(StepStatus.SUCCESS);
        assertThat(found.log().get(1).attempt()).isEqualTo(601);
        assertThat(found.log().getLast().attempt()).isEqualTo(1000);
        assertThat(found.saga().payload()).hasToString("{\"order\":7}");
    }

    @Test
    void aSagaWithoutALogIsThereAllTheSame() {
        var id = saga(1, "NULL");
        database.db()
                .useTransaction(tx -> tx.update("DELETE FROM saga.saga_step_logs WHERE saga_id = :id")
                        .bind("id", id.value())
                        .execute());
        assertThat(read(id).log()).isEmpty();
        assertThat(read(id).leftOut()).isZero();
        var nothing = database.db().read(reads -> store.withLog(reads, new SagaId(UUID.randomUUID())));
        assertThat(nothing).isEmpty();
    }
}
