package io.hiroba.saga.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.saga.SagaConfig;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.schedule.Schedule.CatchUp;
import io.hiroba.saga.schedule.Schedule.Overlap;
import io.hiroba.saga.schedule.Schedule.Settings;
import io.hiroba.saga.workflow.WorkflowFormat;
import io.hiroba.saga.workflow.Workflows;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestService;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Schedules on two nodes of one database. */
@Tag("slow")
@SuppressWarnings("NullAway.Init") // JUnit starts the nodes before any test
class SchedulesTest {

    private static final TestDatabase DATABASE = TestDatabase.create();
    private static final Db db = DATABASE.db();
    private static final WorkerLease LEASE = new WorkerLease(db, Clock.systemUTC(), Duration.ofSeconds(30));
    private static final Caller ADMIN = new Caller(new UserId(1), true, new Caller.ByServer(), null);
    private static final SagaConfig CONFIG =
            new SagaConfig(512, Duration.ofMillis(50), Path.of(""), Map.of(), Duration.ofDays(90), Path.of(""));

    private static final TestService service = new TestService();
    private static final CommitSignal commits = new CommitSignal();
    private static final Workflows workflows = new Workflows(db);
    private static final List<AutoCloseable> nodes = new ArrayList<>();

    private static Schedules schedules;

    @BeforeAll
    static void open() {
        sql("INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)"
                + " VALUES (1, 'a@example.org', 'A', '', true, '')");
        workflows.register(
                ADMIN, "{name: report, steps: [{name: write, service: paper, method: write}]}", WorkflowFormat.YAML);
        workflows.register(
                ADMIN,
                "{name: slow, steps: [{name: write, service: paper, method: write}, {name: wait, waitForSignal: go}]}",
                WorkflowFormat.YAML);
        workflows.register(
                ADMIN,
                "{name: counted, attributes: {pages: {type: number, value: \"='x'\"}}, steps: [{name: wait, waitForSignal: go}]}",
                WorkflowFormat.YAML);
        node();
        schedules = node();
    }

    private static Schedules node() {
        var roles = new SagaRoles(db);
        var engine =
                new Engine(new Engine.Parts(db, Clock.systemUTC(), LEASE.ids(), workflows, service), CONFIG).open();
        var sagas = new Sagas(db, engine, workflows, roles);
        var node = new Schedules(db, engine, workflows, sagas, roles, LEASE.ids(), commits).open();
        nodes.add(node);
        nodes.add(engine);
        return node;
    }

    @AfterEach
    void clear() {
        sql("DELETE FROM saga.schedules");
        await(0, "SELECT count(*) FROM saga.saga_states WHERE owner IS NOT NULL OR wake_at <= now()");
        sql("DELETE FROM saga.saga_states");
    }

    @AfterAll
    static void close() throws Exception {
        for (var node : nodes) {
            node.close();
        }
        LEASE.close();
        DATABASE.close();
    }

    /** Due every hour, half an hour from now. */
    private static String hourly() {
        return (Instant.now().atZone(ZoneOffset.UTC).getMinute() + 30) % 60 + " * * * *";
    }

    private static Settings settings(String name, String workflow, Overlap overlap, CatchUp catchUp) {
        return new Settings(
                name,
                workflow,
                hourly(),
                null,
                "UTC",
                JsonMapper.shared().readTree("{\"pages\": 3}"),
                5,
                overlap,
                catchUp,
                Duration.ofHours(3),
                null,
                null);
    }

    private static Schedule create(String workflow, Overlap overlap, CatchUp catchUp) {
        return schedules.create(ADMIN, settings(workflow + " " + overlap + " " + catchUp, workflow, overlap, catchUp));
    }

    private static void sql(String statement) {
        db.useTransaction(tx -> tx.update(statement).execute());
    }

    private static int number(String query) {
        return db.read(reads -> reads.query(query).mapTo(Integer.class).one());
    }

    private static List<String> texts(String query) {
        return db.read(reads -> reads.query(query).mapTo(String.class).list());
    }

    private static void wake() {
        commits.raise("schedules", Set.of("any"));
    }

    /** Makes the schedule due as if it had been this long ago. */
    private static void due(String ago) {
        sql("UPDATE saga.schedules SET next_at = now() - interval '%s', handled_until = NULL".formatted(ago));
        wake();
    }

    private static void await(int count, String query) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> number(query) == count);
    }

    private static void awaitHandled() {
        await(0, "SELECT count(*) FROM saga.schedules WHERE next_at <= now()");
    }

    @Test
    void everyDueTimeHasOneSagaWhicheverNodesLook() {
        for (int i = 0; i < 60; i++) {
            schedules.create(ADMIN, settings("report " + i, "report", Overlap.ALLOW, CatchUp.LAST));
        }
        due("1 second");
        awaitHandled();
        await(60, "SELECT count(*) FROM saga.saga_states WHERE status = 'COMPLETED'");
        assertThat(number("SELECT count(DISTINCT schedule_id) FROM saga.schedule_runs"))
                .isEqualTo(60);
        assertThat(number("SELECT count(*) FROM saga.schedule_runs")).isEqualTo(60);
        assertThat(number("SELECT count(*) FROM saga.schedules WHERE next_at > now() AND handled_until < next_at"))
                .isEqualTo(60);
        assertThat(texts("""
                SELECT DISTINCT s.payload ->> 'pages' FROM saga.saga_states AS s
                JOIN saga.schedule_runs AS r ON r.saga_id = s.id
                WHERE s.correlation_id LIKE 'schedule:%' AND (s.payload ->> 'scheduledAt')::timestamptz = r.due_at
                """)).containsExactly("3");
    }

    @Test
    void missedTimesAreLeftOutOrCaughtUpWith() {
        create("report", Overlap.ALLOW, CatchUp.NONE);
        due("150 minutes");
        awaitHandled();
        assertThat(number("SELECT count(*) FROM saga.schedule_runs")).isZero();
        clear();
        create("report", Overlap.ALLOW, CatchUp.LAST);
        due("150 minutes");
        awaitHandled();
        assertThat(number("SELECT count(*) FROM saga.schedule_runs WHERE due_at > now() - interval '1 hour'"))
                .isEqualTo(1);
        clear();
        create("report", Overlap.ALLOW, CatchUp.ALL);
        due("7 hours");
        awaitHandled();
        assertThat(number("SELECT count(*) FROM saga.schedule_runs"))
                .as("within three hours")
                .isEqualTo(3);
        assertThat(number("SELECT count(DISTINCT due_at) FROM saga.schedule_runs"))
                .isEqualTo(3);
    }

    @Test
    void aNodeThatDiesInBetweenLeavesNothing() {
        var schedule = create("report", Overlap.SKIP, CatchUp.LAST);
        sql("""
                CREATE FUNCTION saga.die() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN RAISE EXCEPTION 'gone'; END $$
                """);
        sql("CREATE TRIGGER die BEFORE UPDATE OF next_at ON saga.schedules FOR EACH ROW"
                + " WHEN (OLD.next_at < now()) EXECUTE FUNCTION saga.die()");
        try {
            due("1 minute");
            Awaitility.await()
                    .during(Duration.ofMillis(400))
                    .until(() -> number("SELECT count(*) FROM saga.saga_states") == 0);
            assertThat(number("SELECT count(*) FROM saga.schedules WHERE next_at <= now()"))
                    .isEqualTo(1);
        } finally {
            sql("DROP FUNCTION saga.die CASCADE");
        }
        awaitHandled();
        assertThat(schedules.get(ADMIN, schedule.id()).lastRun()).isNotNull();
        assertThat(number("SELECT count(*) FROM saga.saga_states")).isEqualTo(1);
    }

    @Test
    void aClockThatGoesBackBringsNoDueTimeAgain() {
        var schedule = create("report", Overlap.ALLOW, CatchUp.ALL);
        sql("UPDATE saga.schedules SET handled_until = now() + interval '5 hours'");
        var changed = schedules.change(ADMIN, schedule.id(), settings -> settings);
        assertThat(changed.nextAt()).isAfter(Instant.now().plus(Duration.ofHours(5)));
        assertThat(changed.upcoming(Instant.now())).hasSize(5).first().isEqualTo(changed.nextAt());
        schedules.pause(ADMIN, schedule.id(), "summer");
        assertThat(schedules.resume(ADMIN, schedule.id()).nextAt()).isEqualTo(changed.nextAt());
    }

    @Test
    void aDueTimeIsSkippedWhileARunGoesOn() {
        create("slow", Overlap.SKIP, CatchUp.LAST);
        due("10 seconds");
        awaitHandled();
        due("5 seconds");
        awaitHandled();
        assertThat(number("SELECT count(*) FROM saga.schedule_runs")).isEqualTo(1);
        await(1, "SELECT count(*) FROM saga.saga_states WHERE owner IS NULL AND status = 'RUNNING'");
        sql("UPDATE saga.saga_states SET status = 'FAILED', wake_at = NULL WHERE owner IS NULL");
        due("2 seconds");
        awaitHandled();
        assertThat(number("SELECT count(*) FROM saga.schedule_runs")).isEqualTo(2);
    }

    @Test
    void oneRunWaitsForTheOneBefore() {
        create("slow", Overlap.QUEUE, CatchUp.LAST);
        due("10 seconds");
        awaitHandled();
        await(1, "SELECT count(*) FROM saga.saga_states WHERE owner IS NULL AND status = 'RUNNING'");
        due("5 seconds");
        awaitHandled();
        due("3 seconds");
        awaitHandled();
        assertThat(
                        number(
                                "SELECT count(*) FROM saga.schedules WHERE waiting_at BETWEEN now() - interval '1 hour' AND now()"))
                .isEqualTo(1);
        sql("UPDATE saga.saga_states SET status = 'FAILED', wake_at = NULL WHERE owner IS NULL");
        await(2, "SELECT count(*) FROM saga.schedule_runs");
        await(0, "SELECT count(*) FROM saga.schedules WHERE waiting_at IS NOT NULL");
    }

    @Test
    void theRunBeforeIsCancelledFirst() {
        create("slow", Overlap.CANCEL_PREVIOUS, CatchUp.LAST);
        due("10 seconds");
        awaitHandled();
        await(1, "SELECT count(*) FROM saga.saga_states WHERE owner IS NULL AND status = 'RUNNING'");
        due("5 seconds");
        await(1, "SELECT count(*) FROM saga.saga_states WHERE status = 'CANCELLED'");
        await(2, "SELECT count(*) FROM saga.schedule_runs");
        await(0, "SELECT count(*) FROM saga.schedules WHERE waiting_at IS NOT NULL");
    }

    @Test
    void whyNoSagaCouldBeStartedIsShownUntilOneCan() {
        var schedule = create("report", Overlap.ALLOW, CatchUp.LAST);
        workflows.setEnabled(ADMIN, "report", false);
        try {
            due("1 second");
            awaitHandled();
            assertThat(String.valueOf(schedules.get(ADMIN, schedule.id()).error()))
                    .isEqualTo("The workflow `report` is disabled.");
        } finally {
            workflows.setEnabled(ADMIN, "report", true);
        }
        due("1 second");
        awaitHandled();
        assertThat(schedules.get(ADMIN, schedule.id()).error()).isNull();
        assertThat(number("SELECT count(*) FROM saga.schedule_runs")).isEqualTo(1);
    }

    @Test
    void aSagaThatCannotBeStartedHoldsNoOtherScheduleBack() {
        var refused = create("counted", Overlap.ALLOW, CatchUp.LAST);
        create("report", Overlap.ALLOW, CatchUp.LAST);
        due("1 second");
        awaitHandled();
        assertThat(String.valueOf(schedules.get(ADMIN, refused.id()).error())).contains("pages");
        assertThat(number("SELECT count(*) FROM saga.schedule_runs")).isEqualTo(1);
        assertThatThrownBy(() -> schedules.trigger(ADMIN, refused.id())).isInstanceOf(SagaProblem.class);
    }

    @Test
    void nothingIsDueWhilePausedOrAfterTheEnd() {
        var schedule = create("report", Overlap.ALLOW, CatchUp.ALL);
        schedules.pause(ADMIN, schedule.id(), null);
        assertThat(schedules.get(ADMIN, schedule.id()).nextAt()).isNull();
        var end = Instant.now().plusSeconds(60);
        schedules.resume(ADMIN, schedule.id());
        var ended = schedules.change(
                ADMIN,
                schedule.id(),
                old -> new Settings(
                        old.name(),
                        old.workflow(),
                        old.cron(),
                        null,
                        "UTC",
                        old.payload(),
                        old.priority(),
                        old.overlap(),
                        old.catchUp(),
                        old.window(),
                        null,
                        end));
        assertThat(ended.nextAt()).isNull();
        assertThat(ended.upcoming(Instant.now())).isEmpty();
    }

    @Test
    void aScheduleThatIsDueSoonIsNotPolledFor() {
        var schedule = schedules.create(
                ADMIN,
                new Settings(
                        "every second",
                        "report",
                        null,
                        Duration.ofSeconds(1),
                        "UTC",
                        JsonMapper.shared().createObjectNode(),
                        5,
                        Overlap.ALLOW,
                        CatchUp.NONE,
                        Duration.ofHours(1),
                        null,
                        null));
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> number("SELECT count(*) FROM saga.schedule_runs") >= 2);
        schedules.delete(ADMIN, schedule.id());
        assertThat(number("SELECT count(*) FROM saga.saga_states")).isGreaterThanOrEqualTo(2);
    }

    @Test
    void whatIsReadDependsOnWhatIsDue() {
        sql("""
                INSERT INTO saga.schedules (id, name, workflow_name, cron, time_zone, payload, overlap, catch_up, window_ms,
                                            next_at, created_by)
                SELECT n, 'plan ' || n, 'report', '0 0 1 1 *', 'UTC', '{}', 'SKIP', 'NONE', 60000,
                       now() + interval '1 day' + n * interval '1 second', '1'
                FROM generate_series(1, 20000) AS n
                """);
        try (var open = db.dataSource().getConnection();
                var statement = open.createStatement()) {
            statement.execute("VACUUM (ANALYZE) saga.schedules");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        var large = Set.of("schedules");
        var due = Plan.of(
                db,
                true,
                reads -> reads.query(Plan.LEAD + ScheduleStore.LOCK_DUE).bind("max", 1000));
        assertThat(due.scannedThrough(large, 0)).as(due.toString()).isEmpty();
        assertThat(due.rowsReadOf("schedules")).as(due.toString()).isZero();
        var page = Plan.of(
                db,
                true,
                reads -> reads.query(Plan.LEAD + ScheduleStore.LIST)
                        .bind("after", "plan 5")
                        .bind("limit", 20));
        assertThat(page.scannedThrough(large, 0)).as(page.toString()).isEmpty();
        assertThat(page.rowsReadOf("schedules")).as(page.toString()).isLessThanOrEqualTo(40);
    }
}
