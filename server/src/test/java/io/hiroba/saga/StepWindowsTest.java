package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was tried within a time is found there, also where it lies in the room that archived attempts have left. */
@Tag("slow")
class StepWindowsTest {

    private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");
    private static final int DAY = 86_400;

    private static final TestDatabase database = TestDatabase.create();

    /** 10,000 attempts a day: of twenty days, the first ten of which are deleted, and of ten more that take their place. */
    @BeforeAll
    static void fill() throws SQLException {
        database.db().useTransaction(tx -> tx.update("""
                INSERT INTO saga.saga_states (id, workflow_name, workflow_version, status, payload)
                VALUES ('0199aaaa-0000-7000-8000-000000000001', 'order', 1, 'COMPLETED', '{}')
                """).execute());
        insert(0, 200_000);
        vacuum();
        database.db()
                .useTransaction(tx -> tx.update("DELETE FROM saga.saga_step_logs WHERE step_index < 100000")
                        .execute());
        vacuum();
        insert(200_000, 300_000);
        vacuum();
    }

    private static void insert(int from, int to) {
        database.db()
                .useTransaction(
                        tx -> tx.update("""
                                INSERT INTO saga.saga_step_logs (
                                    saga_id, step_index, action, attempt, step_name, status, started_at, completed_at)
                                SELECT '0199aaaa-0000-7000-8000-000000000001', n, CASE WHEN n % 50 = 1 THEN 'COMPENSATE' ELSE 'EXECUTE' END,
                                       1, 'step-' || n % 4, CASE WHEN n % 50 = 0 THEN 'FAILED' ELSE 'SUCCESS' END, t, t
                                FROM generate_series(:from, :to - 1) AS n,
                                     LATERAL (SELECT timestamptz '2026-01-01 00:00Z' + n * interval '8.64 s') AS times (t)
                                """).bind("from", from).bind("to", to).execute());
    }

    private static void vacuum() throws SQLException {
        try (var connection = database.db().dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("VACUUM (ANALYZE) saga.saga_step_logs");
        }
    }

    @AfterAll
    static void close() {
        database.close();
    }

    /** An hour of a day that was left alone, and one of a day that took another's place. */
    static Stream<StepFilter> filters() {
        return Stream.of(15, 25)
                .flatMap(day -> Stream.of(
                        hour(day, null, null, null),
                        hour(day, null, StepStatus.FAILED, null),
                        hour(day, null, StepStatus.SUCCESS, null),
                        hour(day, null, null, StepAction.COMPENSATE),
                        hour(day, "step-1", StepStatus.SUCCESS, null),
                        hour(day, "step-0", StepStatus.FAILED, null)));
    }

    private static StepFilter hour(
            int day, @Nullable String step, @Nullable StepStatus status, @Nullable StepAction action) {
        var from = BEGINNING.plusSeconds((long) day * DAY);
        return new StepFilter(step, status, action, from, from.plusSeconds(3600));
    }

    @ParameterizedTest
    @MethodSource("filters")
    void aShortTimeIsReadInFewBlocks(StepFilter filter) {
        var plan = Plan.of(
                database.db(),
                false,
                reads -> StepLogStore.query(
                        reads, Plan.LEAD + StepLogStore.sql(filter, false), filter, Optional.empty(), 21));
        // 417 attempts an hour, in one or two stretches of 32 blocks of the thousands there are; the index is small.
        assertThat(plan.blocks()).as(plan.toString()).isLessThan(400);
        assertThat(plan.rowsReadOf("saga_step_logs")).as(plan.toString()).isLessThan(12_000);
    }
}
