package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.search.SearchWords;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A list of sagas reads what it shows, however many there are. */
@Tag("slow")
class SagaPlansTest {

    private static final int LIMIT = 21;
    private static final Set<String> LARGE = Set.of("saga_states", "saga_step_logs");
    private static final Set<String> ATTRIBUTED = Set.of("saga_states", "saga_attributes");
    private static final SagaId MIDDLE = new SagaId(UUID.fromString("0199aaaa-0000-7000-8000-000000006000"));

    private static final SagaId PARENT = new SagaId(UUID.fromString("0199aaaa-0000-7000-8000-000000000001"));

    private static final TestDatabase database = TestDatabase.create();

    /**
     * 50,000 sagas, most of them completed, of three workflows; 200,000 attempts over fourteen days. 50,000 more are known
     * by one correlation id, ten of them failed.
     */
    @BeforeAll
    static void fill() throws SQLException {
        database.db().useTransaction(tx -> {
            tx.update("""
                    INSERT INTO saga.saga_states (
                        id, workflow_name, workflow_version, status, payload, correlation_id, stuck, created_at, waiting_for)
                    SELECT ('0199aaaa-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
                           CASE WHEN n % 100 = 0 THEN 'rare' WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END, 1,
                           CASE WHEN n % 50 = 0 THEN 'FAILED' WHEN n % 1000 = 1 THEN 'RUNNING'
                                WHEN n % 500 = 7 THEN 'COMPENSATING' ELSE 'COMPLETED' END,
                           '{}', 'order-' || n / 3, n % 500 = 7,
                           now() - (50000 - n) * interval '24 s', CASE WHEN n % 10 = 1 THEN 'approve' END
                    FROM generate_series(0, 49999) AS n
                    """).execute();
            tx.update("""
                    INSERT INTO saga.saga_states (
                        id, workflow_name, workflow_version, status, payload, correlation_id, parent_id, parent_step,
                        child_index, child_count, root_id)
                    SELECT ('0199bbbb-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'crowd', 1,
                           CASE WHEN n % 5000 = 0 THEN 'FAILED' ELSE 'COMPLETED' END, '{}', 'crowd',
                           of.parent, of.step, CASE WHEN n < 10000 THEN n END, CASE WHEN n < 10000 THEN 10000 END, of.parent
                    FROM generate_series(0, 49999) AS n
                    LEFT JOIN (VALUES (CAST(:parent AS uuid), 0)) AS of (parent, step) ON n < 10000
                    """).bind("parent", PARENT.value()).execute();
            tx.update("""
                    INSERT INTO saga.saga_step_logs (
                        saga_id, step_index, action, attempt, step_name, status, started_at, completed_at)
                    SELECT s.id, t.step, t.action, 1, 'step-' || t.step,
                           CASE WHEN s.status = 'FAILED' AND t.step = 2 THEN 'FAILED' ELSE 'SUCCESS' END,
                           s.created_at + t.step * interval '1 s', s.created_at + t.step * interval '2 s'
                    FROM saga.saga_states AS s,
                         (VALUES (0, 'EXECUTE'), (1, 'EXECUTE'), (2, 'EXECUTE'), (3, 'EXECUTE')) AS t (step, action)
                    WHERE s.workflow_name <> 'crowd'
                    ORDER BY s.id
                    """).execute();
            tx.update("""
                    INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                    SELECT n << 20, 'u' || n || '@example.org', 'user', '', false, '' FROM generate_series(1::bigint, 3000) AS n
                    """).execute();
            tx.update("""
                    INSERT INTO saga.saga_attributes (saga_id, name, text_value, number_value, boolean_value, date_value)
                    SELECT s.id, a.name,
                           CASE a.name WHEN 'customer' THEN 'c-' || s.n % 20000 WHEN 'region' THEN 'r-' || s.n % 2 END,
                           CASE a.name WHEN 'total' THEN s.n END,
                           CASE a.name WHEN 'urgent' THEN s.n % 3 = 0 END,
                           CASE a.name WHEN 'due' THEN timestamptz '2026-01-01 00:00:00Z' + s.n * interval '1 min' END
                    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM saga.saga_states) AS s,
                         (VALUES ('customer'), ('region'), ('total'), ('urgent'), ('due')) AS a (name)
                    WHERE s.n <= 60000
                    """).execute();
            tx.update("INSERT INTO saga.roles (user_id, role) SELECT id, 'auditor' FROM accounts.users")
                    .execute();
        });
        try (var connection = database.db().dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(
                    "VACUUM (ANALYZE) saga.saga_states, saga.saga_step_logs, saga.saga_attributes, saga.roles, accounts.users");
        }
    }

    @AfterAll
    static void close() {
        database.close();
    }

    static Stream<SagaFilter> filters() {
        var crowd = Stream.of(SagaStatus.COMPLETED, SagaStatus.FAILED, SagaStatus.CANCELLED, null)
                .flatMap(status -> Stream.of(true, false).map(stuck -> new SagaFilter(null, status, "crowd", stuck)));
        var waiting = Stream.of("odd", "nothing", null)
                .flatMap(workflow -> Stream.of("order-667", "crowd", null)
                        .map(correlation -> new SagaFilter(workflow, null, correlation, false).whereWaiting(true)));
        return Stream.of(crowd, combinations(), waiting).flatMap(Function.identity());
    }

    private static Stream<SagaFilter> combinations() {
        return Stream.of("rare", "even", "nothing", null)
                .flatMap(workflow -> Stream.of(SagaStatus.COMPLETED, SagaStatus.FAILED, SagaStatus.CANCELLED, null)
                        .flatMap(status -> Stream.of("order-9000", null)
                                .flatMap(correlation -> Stream.of(true, false)
                                        .map(stuck -> new SagaFilter(workflow, status, correlation, stuck)))));
    }

    @ParameterizedTest
    @MethodSource("filters")
    void aListReadsWhatItShows(SagaFilter filter) {
        for (boolean generic : List.of(false, true)) {
            for (var after : List.of(SagaStore.NEWEST, MIDDLE)) {
                var plan = Plan.of(
                        database.db(),
                        generic,
                        reads -> SagaStore.query(reads, Plan.LEAD + SagaListSql.list(filter), filter, after, LIMIT));
                assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
                assertThat(plan.largestSort()).as(plan.toString()).isLessThanOrEqualTo(6 * LIMIT);
                assertThat(plan.rowsReadOf("saga_states")).as(plan.toString()).isLessThanOrEqualTo(most(filter));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"customer=c-17", "region=r-1", "urgent=true", "total=31000", "due=2026-01-03"})
    void sagasOfAnAttributeAreReadPageByPage(String condition) {
        for (var status : Arrays.asList(SagaStatus.COMPLETED, null)) {
            var filter =
                    new SagaFilter(null, status, null, false).withAttributes(AttributeFilter.parse(List.of(condition)));
            for (boolean generic : List.of(false, true)) {
                var plan = attributes(filter, generic);
                assertThat(plan.scannedThrough(ATTRIBUTED, 0))
                        .as(plan.toString())
                        .isEmpty();
                assertThat(plan.largestSort()).as(plan.toString()).isLessThanOrEqualTo(4 * LIMIT);
                assertThat(plan.rowsReadOf("saga_attributes"))
                        .as(plan.toString())
                        .isLessThanOrEqualTo(4 * LIMIT);
            }
        }
    }

    @Test
    void aRangeOfAnAttributeReadsWhatItHolds() {
        for (var condition : List.of("total>=59500", "due<=2026-01-01T08:00:00Z")) {
            var filter = SagaFilter.ALL.withAttributes(AttributeFilter.parse(List.of(condition)));
            for (boolean generic : List.of(false, true)) {
                var plan = attributes(filter, generic);
                assertThat(plan.scannedThrough(ATTRIBUTED, 0))
                        .as(plan.toString())
                        .isEmpty();
                assertThat(plan.rowsReadOf("saga_attributes"))
                        .as(plan.toString())
                        .isLessThanOrEqualTo(501);
            }
        }
    }

    @Test
    void totalsOfAnAttributeThatMostHaveReadABoundedNumber() {
        var filter = new SagaFilter("even", SagaStatus.COMPENSATING, null, false)
                .withAttributes(AttributeFilter.parse(List.of("region=r-1")));
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(
                    database.db(),
                    generic,
                    reads -> SagaStore.query(
                            reads,
                            Plan.LEAD + SagaAttributeSql.totals(SagaAttributeSql.ofEveryGroup(filter)),
                            SagaAttributeSql.ofEveryGroup(filter),
                            SagaStore.NEWEST,
                            SagaAttributeSql.MAX_RANGE + 1));
            assertThat(plan.rowsReadOf("saga_attributes")).as(plan.toString()).isLessThanOrEqualTo(10_001);
        }
        var counted = database.db().read(reads -> new SagaStore().counted(reads, filter));
        assertThat(counted.more()).isTrue();
        assertThat(counted.groups()).extracting(SagaStore.Group::status).contains(SagaStatus.COMPLETED);
        var few = database.db()
                .read(reads -> new SagaStore()
                        .counted(
                                reads, SagaFilter.ALL.withAttributes(AttributeFilter.parse(List.of("customer=c-17")))));
        assertThat(few.more()).isFalse();
        assertThat(few.groups().stream().mapToInt(SagaStore.Group::count).sum()).isEqualTo(3);
    }

    private static Plan attributes(SagaFilter filter, boolean generic) {
        return Plan.of(
                database.db(),
                generic,
                reads -> SagaStore.query(reads, Plan.LEAD + SagaListSql.list(filter), filter, SagaStore.NEWEST, LIMIT));
    }

    @Test
    void theChildrenOfASagaAreReadByItsIdPageByPage() {
        for (boolean generic : List.of(false, true)) {
            var filter = SagaFilter.ALL.withParent(PARENT);
            var plan = Plan.of(
                    database.db(),
                    generic,
                    reads -> SagaStore.query(
                            reads, Plan.LEAD + SagaListSql.list(filter), filter, SagaStore.NEWEST, LIMIT));
            assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
            assertThat(plan.largestSort()).as(plan.toString()).isLessThanOrEqualTo(LIMIT);
            assertThat(plan.rowsReadOf("saga_states")).as(plan.toString()).isLessThanOrEqualTo(2 * LIMIT);
        }
    }

    private static long most(SagaFilter filter) {
        if (filter.stuck()) {
            // They are few, whatever else is asked of them: 100 here.
            return 100 + LIMIT;
        }
        boolean ofEveryStatus = filter.status() == null
                && !filter.waiting()
                && (filter.workflowName() != null || filter.correlationId() != null);
        return ofEveryStatus ? 7 * LIMIT : 2 * LIMIT;
    }

    @Test
    void whatWentWrongIsFoundByItsStepWithoutReadingWhatWentWell() {
        var day = new StepFilter(
                "step-2", StepStatus.FAILED, null, Instant.now().minusSeconds(30 * 86_400), Instant.now());
        var first = plan(day, Optional.empty());
        assertThat(first.scannedThrough(LARGE, 0)).as(first.toString()).isEmpty();
        assertThat(first.rowsReadOf("saga_step_logs")).as(first.toString()).isLessThanOrEqualTo(2 * LIMIT);
        assertThat(first.largestSort()).as(first.toString()).isLessThanOrEqualTo(2 * LIMIT);
        var further = plan(
                day,
                Optional.of(new FoundAttempt.Position(
                        Instant.now().minusSeconds(3 * 86_400), MIDDLE, 2, StepAction.EXECUTE, 1)));
        assertThat(further.rowsReadOf("saga_step_logs")).as(further.toString()).isLessThanOrEqualTo(2 * LIMIT);
    }

    @Test
    void whatWentWellIsFoundByItsTimeWithoutReadingOtherDays() {
        var hour = new StepFilter(
                "step-1",
                StepStatus.SUCCESS,
                null,
                Instant.now().minusSeconds(3 * 86_400),
                Instant.now().minusSeconds(3 * 86_400 - 3600));
        var plan = plan(hour, Optional.empty());
        assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
        // 600 attempts an hour; blocks are summed up 32 together, which hold a few thousand.
        assertThat(plan.rowsReadOf("saga_step_logs")).as(plan.toString()).isLessThan(12_000);
    }

    @Test
    void theSagasOfAVersionAreCountedAlongTheIndex() {
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(
                    database.db(),
                    generic,
                    reads -> reads.query(Plan.LEAD + WorkflowUseStore.VERSIONS)
                            .bind("workflow", "odd")
                            .bind("status", "COMPLETED")
                            .bind("max", LIMIT));
            assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
            assertThat(plan.rowsReadOf("saga_states")).as(plan.toString()).isLessThanOrEqualTo(LIMIT);
        }
    }

    @Test
    void sagasThatAreStuckAreReadByTheirIndex() {
        var plan = Plan.of(
                database.db(),
                true,
                reads -> reads.query(Plan.LEAD + SagaQueueStore.STUCK).bind("max", LIMIT));
        assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
        assertThat(plan.rowsReadOf("saga_states")).as(plan.toString()).isLessThanOrEqualTo(LIMIT);
    }

    @Test
    void rolesAreReadPageByPage() {
        for (boolean generic : List.of(false, true)) {
            for (long after : List.of(0L, 2500L << 20)) {
                var plan = Plan.of(
                        database.db(),
                        generic,
                        reads -> reads.query(Plan.LEAD + SagaRoleStore.LIST)
                                .bind("after", after)
                                .bind("limit", LIMIT));
                assertThat(plan.scannedThrough(Set.of("roles", "users"), 0))
                        .as(plan.toString())
                        .isEmpty();
                assertThat(plan.rowsReadOf("roles")).as(plan.toString()).isLessThanOrEqualTo(LIMIT);
                assertThat(plan.rowsReadOf("users")).as(plan.toString()).isLessThanOrEqualTo(LIMIT);
            }
        }
    }

    private static Plan plan(StepFilter filter, Optional<FoundAttempt.Position> after) {
        return Plan.of(
                database.db(),
                false,
                reads -> StepLogStore.query(
                        reads, Plan.LEAD + StepLogStore.sql(filter, after.isPresent()), filter, after, LIMIT));
    }

    @Test
    void aSearchByWordsReadsTheNewest() {
        for (var typed : List.of("crowd", "order-9000", "nothing like it")) {
            for (boolean generic : List.of(false, true)) {
                var plan = Plan.of(
                        database.db(),
                        generic,
                        reads -> SagaSearchStore.query(reads, Plan.LEAD, SearchWords.of(typed), LIMIT));
                assertThat(plan.scannedThrough(LARGE, SagaSearchStore.MAX_READ))
                        .as(plan.toString())
                        .isEmpty();
                assertThat(plan.rowsReadOf("saga_states"))
                        .as(plan.toString())
                        .isLessThanOrEqualTo(SagaSearchStore.MAX_READ + LIMIT);
            }
        }
    }
}
