package io.hiroba.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.trace.Tracing;
import io.hiroba.saga.SagaId;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Taking sagas up, every moment on every node, reads those that are taken, however many rest or wait. */
class ClaimPlansTest {

    private static final int MOST = 50;
    private static final int PRIORITIES = 10;
    private static final Set<String> LARGE = Set.of("saga_states");

    private static final SagaId PARENT = new SagaId(new UUID(7, 7));

    private static final TestDatabase database = TestDatabase.create();

    /** 20,000 ended, 5,000 wait for a signal and 5,000 for tomorrow; 500 are due, 500 a living node's and 200 a dead one's. */
    @BeforeAll
    static void fill() throws SQLException {
        database.db().useTransaction(tx -> {
            tx.update("""
                    INSERT INTO saga.nodes (id, lease_until)
                    VALUES (1, now() + interval '1 hour'), (2, now() - interval '1 hour')
                    """).execute();
            tx.update("""
                    INSERT INTO saga.saga_states (id, workflow_name, workflow_version, status, payload, owner, wake_at)
                    SELECT gen_random_uuid(), 'order', 1, CASE WHEN n < 20000 THEN 'COMPLETED' ELSE 'RUNNING' END, '{}',
                           CASE WHEN n >= 31000 THEN 2 WHEN n >= 30500 THEN 1 END,
                           CASE WHEN n >= 30500 THEN NULL WHEN n >= 30000 THEN now() - n * interval '1 ms'
                                WHEN n >= 25000 THEN now() + interval '1 day' END
                    FROM generate_series(0, 31199) AS n
                    """).execute();
            tx.update("""
                    INSERT INTO saga.saga_states (
                        id, workflow_name, workflow_version, status, payload, parent_id, parent_step, child_index, child_count,
                        root_id)
                    SELECT gen_random_uuid(), 'line', 1, CASE WHEN n < 9950 THEN 'COMPLETED' ELSE 'RUNNING' END, '{}',
                           :parent, 1, n, 10000, :parent
                    FROM generate_series(0, 9959) AS n
                    """).bind("parent", PARENT.value()).execute();
        });
        try (var connection = database.db().dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("VACUUM (ANALYZE) saga.saga_states, saga.nodes");
        }
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void claimingReadsWhatIsDue(boolean generic) {
        var plan = Plan.of(
                database.db(),
                generic,
                reads -> reads.query(Plan.LEAD + ClaimStore.CLAIM)
                        .bind("traced", true)
                        .bind("owner", 1L)
                        .bind("max", MOST));
        assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
        assertThat(plan.largestSort()).as(plan.toString()).isLessThanOrEqualTo(PRIORITIES * MOST);
        // Found in the index, then updated by the id, and what an earlier claim has left in the index.
        assertThat(plan.rowsReadOf("saga_states")).as(plan.toString()).isLessThanOrEqualTo(6 * MOST);
    }

    @Test
    void theHighestPrioritiesComeFirstAndWhoWaitsLongIsNotPassedOver() {
        var claimed = database.db().inTransaction(tx -> {
            tx.update("""
                    UPDATE saga.saga_states AS s
                    SET priority = t.priority, wake_at = now() - t.age * interval '1 second'
                    FROM (SELECT id, (row_number() OVER (ORDER BY id)) AS n FROM saga.saga_states
                          WHERE wake_at <= now() ORDER BY id LIMIT 3) AS due
                    JOIN (VALUES (1, 0, 400), (2, 9, 1), (3, 6, 1)) AS t (n, priority, age) ON t.n = due.n
                    WHERE s.id = due.id
                    """).execute();
            tx.update("UPDATE saga.saga_states SET wake_at = now() WHERE priority = 5 AND wake_at <= now()")
                    .execute();
            new ClaimStore(Tracing.OFF).claim(tx, 1, 3);
            var priorities = tx.query("""
                    SELECT priority::int FROM saga.saga_states
                    WHERE owner = 1 AND priority <> 5
                    ORDER BY priority
                    """).mapTo(Integer.class).list();
            tx.update("UPDATE saga.saga_states SET priority = 5, owner = NULL, wake_at = now() WHERE priority <> 5")
                    .execute();
            return priorities;
        });
        assertThat(claimed).containsExactly(0, 6, 9);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void freeingOrphansReadsWhatNodesHave(boolean generic) {
        var plan = Plan.of(
                database.db(),
                generic,
                reads -> reads.query(Plan.LEAD + ClaimStore.FREE_ORPHANS).bind("max", MOST));
        assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
        // All that nodes have is looked at, and those that are freed once more to be updated.
        assertThat(plan.rowsReadOf("saga_states")).as(plan.toString()).isLessThanOrEqualTo(700 + 4 * MOST);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void childrenAreCountedWithoutReadingThoseThatAreDone(boolean generic) {
        var plan = Plan.of(
                database.db(),
                generic,
                reads -> reads.query(Plan.LEAD + ChildStore.COUNT)
                        .bind("parent", PARENT.value())
                        .bind("step", 1));
        assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
        assertThat(plan.largestSort()).as(plan.toString()).isZero();
        assertThat(plan.rowsReadOf("saga_states")).as(plan.toString()).isLessThanOrEqualTo(40);
    }

    @Test
    void whatANodeHasIsFoundByItsNumber() {
        var plan = Plan.of(
                database.db(),
                true,
                reads -> reads.query(Plan.LEAD + ClaimStore.OWNED).bind("owner", 2L));
        assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
        assertThat(plan.rowsReadOf("saga_states")).as(plan.toString()).isLessThanOrEqualTo(200);
    }
}
