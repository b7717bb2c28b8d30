package io.hiroba.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestSagas;
import io.hiroba.testkit.TestService;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Conditions, switches, timers and outputs of steps. */
class StepRulesTest {

    private static final TestDatabase DATABASE = TestDatabase.create();

    private static final String ORDER = """
            name: order-%s
            steps:
              - {name: a, service: test, method: do-a, compensate: undo-a}
              - switch:
                  - when: payload.total > 100
                    steps:
                      - {name: b, service: test, method: do-b, compensate: undo-b}
                      - {name: c, service: test, method: do-c, compensate: undo-c, when: steps.b.by == 'b'}
                  - when: steps.a.attempt == 1
                    steps:
                      - {name: d, service: test, method: do-d, compensate: undo-d}
                  - otherwise: true
                    steps:
                      - {name: e, service: test, method: do-e, compensate: undo-e}
              - {name: f, service: test, method: do-f, compensate: undo-f, input: {d: "=has(steps.d)"}}
            """;

    private final TestSagas sagas = new TestSagas(DATABASE);
    private final TestService service = sagas.service;

    @AfterEach
    void close() {
        sagas.close();
    }

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    @Test
    void theFirstTrueCaseIsExecutedAndTheOthersAreLeftOut() {
        var node = sagas.node();
        var large = sagas.start(node, sagas.register(ORDER.formatted("cases")), "{\"total\": 101}");
        var small = sagas.start(node, sagas.register(ORDER.formatted("cases")), "{\"total\": 5}");
        sagas.awaitStatus(large, SagaStatus.COMPLETED);
        sagas.awaitStatus(small, SagaStatus.COMPLETED);
        assertThat(sagas.log(large))
                .containsExactly(
                        "EXECUTE a SUCCESS",
                        "EXECUTE d SKIPPED",
                        "EXECUTE e SKIPPED",
                        "EXECUTE b SUCCESS",
                        "EXECUTE c SUCCESS",
                        "EXECUTE f SUCCESS");
        assertThat(sagas.log(small))
                .containsExactly(
                        "EXECUTE a SUCCESS",
                        "EXECUTE b SKIPPED",
                        "EXECUTE e SKIPPED",
                        "EXECUTE d SUCCESS",
                        "EXECUTE c SKIPPED",
                        "EXECUTE f SUCCESS");
        assertThat(service.calls("do-f"))
                .extracting(call -> call.input().toString())
                .containsExactlyInAnyOrder("{\"d\":false}", "{\"d\":true}");
    }

    @Test
    void aTimerUntilAMomentDoesNotEndBeforeIt() {
        var moment = Instant.now().plus(Duration.ofDays(2)).truncatedTo(ChronoUnit.SECONDS);
        var workflow = sagas.register("name: until\nsteps: [{name: rest, until: '%s'}]\n".formatted(moment));
        var node = sagas.node();
        for (int i = 0; i < 5; i++) {
            var id = sagas.start(node, workflow);
            var resting =
                    "SELECT count(*)::int FROM saga.saga_states WHERE id = '%s' AND wake_at > now() + interval '1 day'";
            Awaitility.await().until(() -> sagas.number(resting.formatted(id)) == 1);
            assertThat(sagas.number("SELECT count(*)::int FROM saga.saga_states WHERE id = '%s' AND wake_at >= '%s'"
                            .formatted(id, moment)))
                    .as(sagas.text(id, "wake_at"))
                    .isEqualTo(1);
        }
    }

    @Test
    void stepsThatWereLeftOutAreNotUndone() {
        service.fails("do-f", Failed.nonRetryable(Text.verbatim("no")));
        var id = sagas.start(sagas.node(), sagas.register(ORDER.formatted("undo")), "{\"total\": 5}");
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(service.effects()).containsExactly("do-a", "do-d", "undo-d", "undo-a");
    }

    @Test
    void stepsThatAreSagasHaveConditionsAndExpressionsToo() {
        sagas.register("""
                name: line
                attributes:
                  number: {type: number, value: $.payload.number}
                steps:
                  - {name: print, service: test, method: do-print, compensate: undo-print}
                """);
        var workflow = sagas.register("""
                name: lines
                steps:
                  - {name: one, workflow: line, when: payload.lines.size() > 9}
                  - name: each
                    workflow: line
                    forEach: $.payload.lines
                    maxParallel: 1
                    input: {number: "=index + 1", price: "=item.price * 2", of: $.item.price}
                  - {name: fail, service: test, method: do-f, input: {first: "$.steps.each[0].print.by"}}
                """);
        service.fails("do-f", Failed.nonRetryable(Text.verbatim("no")));
        var id = sagas.start(sagas.node(), workflow, "{\"lines\": [{\"price\": 3}, {\"price\": 4}]}");
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.log(id))
                .containsExactly(
                        "EXECUTE one SKIPPED",
                        "EXECUTE each SUCCESS",
                        "EXECUTE fail FAILED",
                        "COMPENSATE each SUCCESS");
        assertThat(service.calls("do-print"))
                .extracting(call -> call.input().path("number").asInt() + " "
                        + call.input().path("price").asInt() + " "
                        + call.input().path("of").asInt())
                .containsExactly("1 6 3", "2 8 4");
        assertThat(sagas.children(id)).hasSize(2);
        assertThat(sagas.number("SELECT sum(number_value)::int FROM saga.saga_attributes"))
                .isEqualTo(3);
    }

    @Test
    void aSagaWhoseAttributesCannotBeMadeIsNotStartedByAnother() {
        sagas.register("""
                name: dated
                attributes:
                  due: {type: date, value: $.payload.due}
                steps:
                  - {name: print, service: test, method: do-print}
                """);
        var workflow = sagas.register("""
                name: dates
                steps:
                  - {name: one, workflow: dated, input: {due: never}}
                """);
        var id = sagas.start(sagas.node(), workflow, "{}");
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.children(id)).isEmpty();
        assertThat(sagas.error(id)).contains("due");
    }

    @Test
    void anExpressionThatFailsFailsItsStepForGood() {
        var id = sagas.start(sagas.node(), sagas.register(ORDER.formatted("failure")), "{}");
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.log(id)).containsExactly("EXECUTE a SUCCESS", "EXECUTE b FAILED", "COMPENSATE a SUCCESS");
        assertThat(sagas.error(id)).contains("Step `b` failed", "`payload.total > 100`", "`total` is missing");
    }

    @Test
    void aStepWhoseConditionIsFalseIsNotCalledToFindOutWhatALostCallDid() {
        var hold = service.holds("do-b");
        var workflow = sagas.register("""
                name: lost
                steps:
                  - parallel:
                      - {name: a, service: test, method: do-a, when: payload.both}
                      - {name: b, service: test, method: do-b}
                  - {name: c, service: test, method: do-c, when: "!payload.both"}
                """);
        var id = sagas.start(sagas.node(), workflow, "{\"both\": false}");
        hold.awaitCall();
        service.heals("do-b");
        sagas.declareDead();
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        hold.release();
        assertThat(service.calls("do-a")).isEmpty();
        assertThat(service.effects()).containsExactly("do-b", "do-c");
    }

    @Test
    void aSagaWhoseStepsAreAllLeftOutIsCompleted() {
        var workflow = sagas.register("{name: none, steps: [{name: a, service: test, method: do-a, when: 'false'}]}");
        var id = sagas.start(sagas.node(), workflow, "{}");
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(service.effects()).isEmpty();
    }

    @Test
    void aTimerHoldsNothingAndOutlivesItsNode() {
        var workflow = sagas.register("""
                name: sleeper
                steps:
                  - {name: a, service: test, method: do-a}
                  - {name: rest, sleep: "=duration(payload.wait)"}
                  - {name: b, service: test, method: do-b}
                """);
        var first = sagas.node();
        var id = sagas.start(first, workflow, "{\"wait\": \"1s\"}");
        sagas.awaitStatus(id, SagaStatus.RUNNING);
        sagas.awaitRest(id);
        assertThat(sagas.text(id, "wake_at")).isNotEmpty();
        first.close();
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(sagas.log(id)).containsExactly("EXECUTE a SUCCESS", "EXECUTE rest SUCCESS", "EXECUTE b SUCCESS");
        assertThat(sagas.number("""
                SELECT (max(completed_at) FILTER (WHERE step_name = 'rest')
                        - max(completed_at) FILTER (WHERE step_name = 'a') >= interval '0.99 s')::int
                FROM saga.saga_step_logs WHERE saga_id = '%s'
                """.formatted(id))).isEqualTo(1);
    }

    @Test
    void eachTimerIsKeptWhateverElseIsDueBefore() {
        var workflow = sagas.register("{name: timers, steps: [{name: rest, sleep: \"=duration(payload.wait)\"}]}");
        var node = sagas.node(Duration.ofHours(1));
        var ids = Stream.of("0.1s", "0.3s", "0.6s")
                .map(wait -> sagas.start(node, workflow, "{\"wait\": \"%s\"}".formatted(wait)))
                .toList();
        ids.forEach(id -> sagas.awaitStatus(id, SagaStatus.COMPLETED));
    }

    @Test
    void aTimerEndsAtAMomentOfTheDatabase() {
        var workflow = sagas.register("{name: moments, steps: [{name: past, until: '2020-01-01T00:00:00Z'},"
                + " {name: soon, until: $.payload.at}, {name: b, service: test, method: do-b}]}");
        var at = Instant.now().plusSeconds(1);
        var id = sagas.start(sagas.node(), workflow, "{\"at\": \"%s\"}".formatted(at));
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(sagas.number("SELECT (completed_at >= '%s')::int FROM saga.saga_step_logs WHERE saga_id = '%s'"
                                .formatted(at, id)
                        + " AND step_name = 'soon'"))
                .isEqualTo(1);
    }

    @Test
    void aCancellationCutsATimerShort() {
        var workflow = sagas.register("{name: cut, steps: [{name: a, service: test, method: do-a,"
                + " compensate: undo-a}, {name: rest, sleep: 30d}]}");
        var id = sagas.start(sagas.node(), workflow, "{}");
        sagas.awaitStatus(id, SagaStatus.RUNNING);
        sagas.awaitRest(id);
        sagas.cancel(id);
        sagas.awaitStatus(id, SagaStatus.CANCELLED);
        assertThat(service.effects()).containsExactly("do-a", "undo-a");
    }

    @Test
    void aTimerWithoutATimeFailsForGood() {
        var workflow = sagas.register("{name: endless, steps: [{name: rest, sleep: $.payload.wait}]}");
        var id = sagas.start(sagas.node(), workflow, "{\"wait\": \"soon\"}");
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.error(id)).contains("\"soon\" is not a duration");
    }

    @Test
    void laterStepsSeeTheOutputAndAFailedOneUndoesTheStep() {
        var workflow = sagas.register("""
                name: outputs
                steps:
                  - {name: a, service: test, method: do-a, compensate: undo-a, output: {who: "=answer.by + '!'"}}
                  - {name: b, service: test, method: do-b, compensate: undo-b, input: $.steps.a, output: "=answer.no"}
                """);
        var id = sagas.start(sagas.node(), workflow, "{}");
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(service.calls("do-b").getFirst().input()).hasToString("{\"who\":\"a!\"}");
        assertThat(service.effects()).containsExactly("do-a", "do-b", "undo-b", "undo-a");
        assertThat(sagas.error(id)).contains("Step `b` failed", "`no` is missing");
    }

    @Test
    void everyCrashLeavesTheSameDecision() {
        var node = sagas.node();
        var id = sagas.start(node, sagas.register(ORDER.formatted("crash")), "{\"total\": 5}");
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            sagas.declareDead();
            return sagas.status(id) == SagaStatus.COMPLETED;
        });
        assertThat(service.effects()).containsExactly("do-a", "do-d", "do-f");
    }
}
