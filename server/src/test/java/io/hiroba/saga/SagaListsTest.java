package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lists of sagas and of attempts at their steps, filtered and page by page. */
@Tag("slow")
class SagaListsTest {

    private static final TestSagaServer server = new TestSagaServer();

    /** 60 sagas of two workflows in all statuses, five minutes apart; each failed one has a log of three attempts. */
    @BeforeAll
    static void fill() {
        server.accounts.db.useTransaction(tx -> {
            tx.update("""
                    INSERT INTO saga.saga_states (
                        id, workflow_name, workflow_version, status, payload, correlation_id, stuck, created_at)
                    SELECT ('0199aaaa-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
                           CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END, 1,
                           (ARRAY['STARTED', 'RUNNING', 'COMPLETED', 'COMPENSATING', 'FAILED', 'CANCELLED'])[n / 2 % 6 + 1],
                           '{}', 'c-' || n % 10, n % 12 = 6, now() - (60 - n) * interval '5 min'
                    FROM generate_series(0, 59) AS n
                    """).execute();
            tx.update("""
                    INSERT INTO saga.saga_step_logs (
                        saga_id, step_index, action, attempt, step_name, status, error_message, started_at, completed_at)
                    SELECT s.id, 0, t.action, t.attempt, 'pay', t.status, CASE t.status WHEN 'FAILED' THEN 'no' END,
                           s.created_at, s.created_at
                    FROM saga.saga_states AS s,
                         (VALUES ('EXECUTE', 1, 'FAILED'), ('EXECUTE', 2, 'SUCCESS'), ('COMPENSATE', 1, 'SUCCESS'))
                             AS t (action, attempt, status)
                    WHERE s.status = 'FAILED'
                    """).execute();
        });
    }

    @AfterAll
    static void close() {
        server.close();
    }

    /** A field of all items, page by page. */
    private static List<String> all(String path, String field) {
        var found = new ArrayList<String>();
        var next = "";
        do {
            var page = server.auditor
                    .get(path + (next.isEmpty() ? "" : "&after=" + next))
                    .json();
            page.path("items").forEach(item -> found.add(item.path(field).asString("")));
            next = page.path("next").asString("");
        } while (!next.isEmpty());
        return found;
    }

    private static List<String> expected(String condition) {
        return server.accounts.db.read(
                reads -> reads.query("SELECT id::text FROM saga.saga_states WHERE " + condition + " ORDER BY id DESC")
                        .mapTo(String.class)
                        .list());
    }

    @Test
    void theGaugesCountWhatIsActiveWaitsAndIsStuck() {
        var meters = new SimpleMeterRegistry();
        new SagaQueueMetrics(server.accounts.db).register(meters);
        assertThat(meters.get("hiroba.sagas.active").gauge().value()).isEqualTo(30);
        assertThat(meters.get("hiroba.sagas.stuck").gauge().value()).isEqualTo(5);
        assertThat(meters.get("hiroba.sagas.waiting").gauge().value()).isEqualTo(25);
        assertThat(meters.get("hiroba.sagas.late").gauge().value()).isZero();
    }

    @Test
    void aRangeOfTimeAndTheTotalsByStatusGoWithEveryFilter() {
        var path = "/api/v1/sagas?limit=100";
        assertThat(all(path + "&from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z", "id"))
                .hasSize(60);
        for (var filter : List.of("", "&workflowName=even", "&status=FAILED", "&correlationId=c-4", "&stuck=true")) {
            assertThat(all(path + filter, "id")).isNotEmpty();
            assertThat(all(path + filter + "&from=2100-01-01T00:00:00Z", "id")).isEmpty();
            assertThat(all(path + filter + "&to=2020-01-01T00:00:00Z", "id")).isEmpty();
        }
        assertThat(server.auditor.get(path + "&from=yesterday").status()).isEqualTo(400);
        var totals = server.auditor
                .get(path + "&workflowName=even&status=FAILED&totals=true")
                .json()
                .path("totals");
        assertThat(totals.at("/statuses/FAILED/count").asInt()).isEqualTo(5);
        assertThat(totals.at("/statuses/RUNNING/count").asInt()).isEqualTo(5);
        assertThat(totals.at("/statuses/RUNNING/more").asBoolean()).isFalse();
        var waiting = server.auditor
                .get(path + "&workflowName=even&status=WAITING&totals=true")
                .json();
        assertThat(waiting.path("items").isEmpty()).isTrue();
        assertThat(waiting.at("/totals/statuses/FAILED/count").asInt())
                .as("of every status, whatever the filter has")
                .isEqualTo(5);
        assertThat(server.auditor.get(path).json().has("totals")).isFalse();
        assertThat(server.member.get(path + "&totals=true").outcome()).isEqualTo("403 saga.auditors-only");
    }

    @Test
    void everyFilterFindsWhatItSaysNewestFirst() {
        for (var each : List.of(
                List.of("", "true"),
                List.of("&workflowName=even", "workflow_name = 'even'"),
                List.of("&status=FAILED", "status = 'FAILED'"),
                List.of("&workflowName=odd&status=RUNNING", "workflow_name = 'odd' AND status = 'RUNNING'"),
                List.of("&correlationId=c-3", "correlation_id = 'c-3'"),
                List.of("&correlationId=c-4&status=COMPLETED", "correlation_id = 'c-4' AND status = 'COMPLETED'"),
                List.of("&correlationId=c-4&workflowName=odd", "false"),
                List.of("&stuck=true", "stuck"),
                List.of("&stuck=true&workflowName=even&status=COMPENSATING", "stuck AND status = 'COMPENSATING'"),
                List.of("&stuck=false&workflowName=nothing", "false"))) {
            for (var limit : List.of("3", "100")) {
                assertThat(all("/api/v1/sagas?limit=" + limit + each.getFirst(), "id"))
                        .as(each.getFirst())
                        .containsExactlyElementsOf(expected(each.getLast()));
            }
        }
    }

    @Test
    void aPageHasTwentySagasUnlessUpToAHundredAreAskedFor() {
        assertThat(page("/api/v1/sagas")).isEqualTo(20);
        assertThat(page("/api/v1/sagas?limit=100")).isEqualTo(60);
        for (var beyond : List.of(
                "/api/v1/sagas?limit=101",
                "/api/v1/sagas?limit=0",
                "/api/v1/saga-steps?limit=201",
                "/api/v1/workflows?limit=101",
                "/api/v1/saga-roles?limit=101")) {
            assertThat(server.admin.get(beyond).outcome()).as(beyond).isEqualTo("400 http.invalid");
        }
    }

    private static int page(String path) {
        return server.auditor.get(path).json().path("items").size();
    }

    @Test
    void attemptsAreFoundByStepStatusActionAndTime() {
        assertThat(all("/api/v1/saga-steps?limit=4", "status")).hasSize(30);
        assertThat(all("/api/v1/saga-steps?limit=4&stepName=pay&status=FAILED", "error"))
                .hasSize(10)
                .containsOnly("no");
        assertThat(all("/api/v1/saga-steps?limit=3&stepName=pay&action=COMPENSATE", "sagaId"))
                .containsExactlyElementsOf(expected("status = 'FAILED'"));
        assertThat(all("/api/v1/saga-steps?limit=3&status=SUCCESS&action=EXECUTE", "workflowName"))
                .hasSize(10)
                .contains("even", "odd");
        assertThat(all("/api/v1/saga-steps?stepName=other", "status")).isEmpty();
        assertThat(all("/api/v1/saga-steps?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z", "status"))
                .isEmpty();
        assertThat(server.auditor
                        .get("/api/v1/saga-steps?from=2020-01-02T00:00:00Z&to=2020-01-01T00:00:00Z")
                        .outcome())
                .isEqualTo("400 saga.invalid");
    }

    @Test
    void aLongTimeIsLookedThroughOnlyForTheTroubleOfOneStep() {
        var year = "/api/v1/saga-steps?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z";
        for (var allowed : List.of("&stepName=pay&status=FAILED", "&stepName=pay&action=COMPENSATE")) {
            assertThat(server.auditor.get(year + allowed).outcome()).as(allowed).isEqualTo("200");
        }
        for (var refused : List.of(
                "",
                "&status=FAILED",
                "&action=COMPENSATE",
                "&stepName=pay",
                "&stepName=pay&status=SUCCESS",
                "&stepName=pay&action=EXECUTE")) {
            var reply = server.auditor.get(year + refused);
            assertThat(reply.outcome()).as(refused).isEqualTo("400 saga.invalid");
            assertThat(reply.body()).contains("must be at most 7 days before `to`");
        }
        var week = "/api/v1/saga-steps?from=2026-01-01T00:00:00Z&to=2026-01-08T00:00:00Z&status=FAILED";
        assertThat(server.auditor.get(week).outcome()).isEqualTo("200");
    }
}
