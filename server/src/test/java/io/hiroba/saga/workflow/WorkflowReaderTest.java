package io.hiroba.saga.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaProblem.DefinitionError;
import io.hiroba.saga.workflow.RetryPolicy.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class WorkflowReaderTest {

    private static final String ORDER = """
            name: order
            version: 2
            enabled: false
            totalTimeout: 5m
            steps:
              - name: reserve
                service: stock
                method: Stock.Reserve
                compensate: Stock.Release
                timeout: 10s
                retry: {maxAttempts: 5, backoff: fixed, initialInterval: 250ms, maxInterval: 2s, jitter: 0.5}
                input:
                  order: $.payload.order.id
                  note: $.payload.note?
                  lines: ["$.payload.lines[0]", 7, true, null, "yes"]
                compensateInput: {reservation: $.steps.reserve.id}
              - parallel:
                  - {name: charge, service: bank, method: charge, input: $.steps.reserve}
                  - {name: pack, service: depot, method: v1/pack}
              - name: approval
                waitForSignal: approve
                timeout: 2d
            """;

    private static WorkflowDefinition yaml(String text) {
        return WorkflowReader.read(text, WorkflowFormat.YAML);
    }

    /** What is wrong: path, line and reason of each mistake. */
    private static List<String> errors(String text, WorkflowFormat format) {
        try {
            WorkflowReader.read(text, format);
            return List.of();
        } catch (Problem e) {
            assertThat(e.code()).isEqualTo("saga.bad-workflow");
            var all = new ArrayList<String>();
            e.fields().forEach(field -> all.add((field.field() + " " + field.message()).strip()));
            return all;
        }
    }

    static List<String> errors(String yaml) {
        return errors(yaml, WorkflowFormat.YAML);
    }

    /** A workflow of one step, to which these lines belong. */
    private static String step(String... lines) {
        return "name: one\nsteps:\n  - name: a\n    service: s\n    method: m\n    " + String.join("\n    ", lines)
                + "\n";
    }

    @Test
    void aCharacterOfTwoHalvesIsReadWhereverItStands() {
        for (int before = 900; before < 1100; before++) {
            var workflow = yaml("# " + "x".repeat(before) + "\n" + step("input: {note: 🍣}"));
            assertThat(workflow.name()).isEqualTo("one");
        }
    }

    @Test
    void everythingThatCanBeSaidIsRead() {
        var order = yaml(ORDER);
        assertThat(order.name()).isEqualTo("order");
        assertThat(order.version()).isEqualTo(2);
        assertThat(order.enabled()).isFalse();
        assertThat(order.totalTimeout()).isEqualTo(Duration.ofMinutes(5));
        assertThat(order.steps()).extracting(Step::name).containsExactly("reserve", "charge", "pack", "approval");
        assertThat(order.steps()).extracting(Step::stage).containsExactly(0, 1, 1, 2);
        assertThat(order.steps()).extracting(Step::index).containsExactly(0, 1, 2, 3);
        var reserve = order.steps().getFirst();
        assertThat(reserve.timeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(reserve.retry())
                .isEqualTo(new RetryPolicy(5, Backoff.FIXED, Duration.ofMillis(250), Duration.ofSeconds(2), 0.5));
        var call = (Step.Call) reserve.work();
        assertThat(call.compensate()).isEqualTo("Stock.Release");
        assertThat(String.valueOf(call.input())).contains("[\"$.payload.lines[0]\",7,true,null,\"yes\"]");
        assertThat(order.steps().getLast().work()).isEqualTo(new Step.Signal("approve"));
        assertThat(order.steps().getLast().timeout()).isEqualTo(Duration.ofDays(2));
    }

    @Test
    void theSameInJsonIsTheSame() {
        var json = """
                {"name": "order", "version": 2, "enabled": false, "totalTimeout": "5m", "steps": [
                \t{"name": "reserve", "service": "stock", "method": "Stock.Reserve", "compensate": "Stock.Release",
                \t "timeout": "10s", "retry": {"maxAttempts": 5, "backoff": "fixed", "initialInterval": "250ms",
                \t "maxInterval": "2s", "jitter": 0.5},
                \t "input": {"order": "$.payload.order.id", "note": "$.payload.note?",
                \t           "lines": ["$.payload.lines[0]", 7, true, null, "yes"]},
                \t "compensateInput": {"reservation": "$.steps.reserve.id"}},
                \t{"parallel": [
                \t\t{"name": "charge", "service": "bank", "method": "charge", "input": "$.steps.reserve"},
                \t\t{"name": "pack", "service": "depot", "method": "v1/pack"}]},
                \t{"name": "approval", "waitForSignal": "approve", "timeout": "2d"}]}
                """;
        assertThat(WorkflowReader.read(json, WorkflowFormat.JSON)).isEqualTo(yaml(ORDER));
    }

    @Test
    void whatIsLeftOutHasItsDefault() {
        var one = yaml(step());
        assertThat(one.version()).isNull();
        assertThat(one.enabled()).isNull();
        assertThat(one.totalTimeout()).isEqualTo(Duration.ofMinutes(5));
        var only = one.steps().getFirst();
        assertThat(only.timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(only.retry()).isEqualTo(RetryPolicy.DEFAULT);
        assertThat(only.work()).isEqualTo(new Step.Call("s", "m", null, null, null));
    }

    @Test
    void aCallThatMayHaveTakenEffectIsUndoneUnlessTheStepSaysOtherwise() {
        var call = (Step.Call) yaml(step("compensate: u")).steps().getFirst().work();
        assertThat(call.unknownOutcome()).isEqualTo(Step.UnknownOutcome.COMPENSATE);
        call = (Step.Call) yaml(step("compensate: u", "unknownOutcome: ask", "status: find"))
                .steps()
                .getFirst()
                .work();
        assertThat(call.unknownOutcome()).isEqualTo(Step.UnknownOutcome.ASK);
        assertThat(call.status()).isEqualTo("find");
        assertThat(errors(step("compensate: u", "unknownOutcome: guess"))).hasSize(1);
        assertThat(errors(step("compensate: u", "unknownOutcome: ask"))).hasSize(1);
        assertThat(errors(step("compensate: u", "status: find"))).hasSize(1);
        assertThat(errors(step("unknownOutcome: ignore"))).hasSize(1);
    }

    @Test
    void aWorkflowThatWaitsForAPersonHasNoLimitUnlessOneIsGiven() {
        var waiting = "name: one\nsteps:\n  - {name: a, waitForSignal: go}\n";
        assertThat(yaml(waiting).totalTimeout()).isNull();
        assertThat(yaml(waiting).steps().getFirst().timeout()).isNull();
        assertThat(yaml(waiting + "totalTimeout: 1h").totalTimeout()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void theDesignDocumentsSpellingMeansTheSame() {
        var snakeKey = yaml("""
                name: order
                total_timeout_secs: 60
                steps:
                  - name: a
                    service: s
                    method: S.M
                    timeout_secs: 5
                    retry:
                      max_attempts: 4
                      backoff: exponential
                      initial_interval_ms: 100
                      max_interval_ms: 900
                """);
        assertThat(snakeKey.totalTimeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(snakeKey.steps().getFirst().timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(snakeKey.steps().getFirst().retry())
                .isEqualTo(new RetryPolicy(4, Backoff.EXPONENTIAL, Duration.ofMillis(100), Duration.ofMillis(900), 0));
        assertThat(errors(step("timeout: 5s", "timeout_secs: 5")))
                .containsExactly("steps[0].timeout_secs line 7: is the same setting as `timeout`: give only one");
    }

    @Test
    void intervalsThatAreNotGivenMakeRoomForThoseThatAre() {
        assertThat(yaml(step("retry: {initialInterval: 5m}"))
                        .steps()
                        .getFirst()
                        .retry()
                        .maxInterval())
                .isEqualTo(Duration.ofMinutes(5));
        assertThat(yaml(step("retry: {maxInterval: 100ms}"))
                        .steps()
                        .getFirst()
                        .retry()
                        .initialInterval())
                .isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void everyMistakeIsToldWithItsLine() {
        assertThat(errors("""
                        name: order
                        steps:
                          - name: a
                            service: s
                            methd: m
                            timeout: soon
                            retry: {backoff: sometimes, maxAttempts: 0, jitter: 2}
                          - name: a
                            service: s
                            method: ../m
                        colour: red
                        """))
                .containsExactly(
                        "steps[0].method line 3: is missing",
                        "steps[0].methd line 5: is not a known key: did you mean `method`?",
                        "steps[0].timeout line 6: must be a duration such as 250ms, 30s, 15m, 12h or 90d",
                        "steps[0].retry.maxAttempts line 7: must be between 1 and 1000",
                        "steps[0].retry.backoff line 7: must be exponential, fixed or none",
                        "steps[0].retry.jitter line 7: must be a number between 0 and 1",
                        "steps[1].name line 8: is a duplicate step name",
                        "steps[1].method line 10: must be a method such as Stock.Reserve or stock/reserve",
                        "colour line 11: is not a known key");
    }

    @Test
    void theDetailNamesTheFirstMistake() {
        assertThatThrownBy(() -> yaml(step("retry:", "  backoff: never", "  maxAttempts: x")))
                .hasMessage("The workflow is not valid: line 7: `steps[0].retry.backoff` must be exponential,"
                        + " fixed or none (and 1 more).");
    }

    @Test
    void aMistakeIsToldInTheLanguageOfTheReader() {
        assertThatThrownBy(() -> yaml("name: one\nsteps:\n  - name: a\n    service: s\n"))
                .isInstanceOfSatisfying(SagaProblem.class, problem -> {
                    assertThat(problem.detail().in(Language.JAPANESE))
                            .isEqualTo("ワークフローに誤りがあります。3行目：`steps[0].method`：指定されていません。");
                    assertThat(problem.detail().in(Language.CHINESE)).isEqualTo("工作流无效：第 3 行：`steps[0].method`：缺失。");
                    assertThat(problem.definitionErrors())
                            .containsExactly(
                                    new DefinitionError(3, 0, "steps[0].method", Text.of("saga.definition.missing")));
                });
    }

    @Test
    void jsonIsToldWithItsLinesToo() {
        assertThat(errors("{\n\"name\": \"a\",\n\"steps\": [\n{\"name\": \"x y\"}]}", WorkflowFormat.JSON))
                .hasSize(3)
                .allMatch(mistake -> mistake.contains("line 4"));
        assertThat(errors("{\"name\": \"a\",\n\n]", WorkflowFormat.JSON))
                .containsExactly("line 3: is not valid JSON, or nested too deeply");
    }

    @Test
    void jsonInOneLineIsToldWithItsColumns() {
        assertThat(errors(
                        "{\"name\": 7, \"steps\": [{\"name\": \"a\", \"waitForSignal\": \"b\", \"colour\": 1}]}\n",
                        WorkflowFormat.JSON))
                .containsExactly(
                        "name line 1, column 2: must be a string: put it in quotes",
                        "steps[0].colour line 1, column 59: is not a known key");
        assertThat(errors("{\"name\": \"a\",]", WorkflowFormat.JSON))
                .singleElement()
                .asString()
                .matches("line 1, column 1[3-6]: is not valid JSON, or nested too deeply");
    }

    @Test
    void anInputRefersOnlyToWhatIsThereByThen() {
        assertThat(errors(step("input: {x: $.steps.a.id}")))
                .containsExactly("steps[0].input line 6: refers to `a`, which is not an earlier step");
        assertThat(errors(step("compensate: u", "compensateInput: {x: $.steps.a.id}")))
                .isEmpty();
        assertThat(errors(step("compensateInput: {}")))
                .containsExactly("steps[0].compensateInput line 6: requires `compensate`");
        assertThat(errors(step("input:", "  x: $.payload.b", "  y: $.nothing", "  z: $.payload..c")))
                .containsExactly(
                        "steps[0].input line 8: must refer to $.payload… or $.steps.<name>…, not to $.nothing",
                        "steps[0].input line 9: must refer to $.payload… or $.steps.<name>…, not to $.payload..c");
        assertThat(errors("""
                        name: p
                        steps:
                          - parallel:
                              - {name: a, service: s, method: m}
                              - {name: b, service: s, method: m, input: $.steps.a}
                        """))
                .containsExactly("steps[0].parallel[1].input line 5: refers to `a`, which is not an earlier step");
    }

    @Test
    void whatIsSentIsSaidOrLeftOut() {
        assertThat(errors(step("compensate: u", "input: null", "compensateInput:")))
                .containsExactly(
                        "steps[0].input line 7: must not be null: leave it out or give a value",
                        "steps[0].compensateInput line 8: must not be null: leave it out or give a value");
        assertThat(errors(step("input: {a: null}"))).isEmpty();
    }

    @Test
    void aTextThatLooksLikeAReferenceIsWrittenWithOneMoreDollar() throws InputMapping.MissingValue {
        var definition = yaml(step("input: [$$.payload, $$.x?, $$$.y, $$, a$$.b, $5]"));
        var call = (Step.Call) definition.steps().getFirst().work();
        var input = Objects.requireNonNull(call.input());
        assertThat(input.apply(JsonMapper.shared().createObjectNode(), Map.of()))
                .hasToString("[\"$.payload\",\"$.x?\",\"$$.y\",\"$$\",\"a$$.b\",\"$5\"]");
    }

    @Test
    void theFormatIsToldByTheText() {
        assertThat(WorkflowFormat.ofText(ORDER)).isEqualTo(WorkflowFormat.YAML);
        assertThat(WorkflowFormat.ofText(" {\"name\": \"a\", \"steps\": []}\n")).isEqualTo(WorkflowFormat.JSON);
        assertThat(WorkflowFormat.ofText("{name: a, steps: [{name: b, waitForSignal: c}]}"))
                .isEqualTo(WorkflowFormat.YAML);
        assertThat(WorkflowFormat.ofText("{\"name\": \"a\",")).isEqualTo(WorkflowFormat.JSON);
        assertThat(WorkflowFormat.ofText("{".repeat(100_000))).isEqualTo(WorkflowFormat.JSON);
        assertThat(WorkflowFormat.ofText("")).isEqualTo(WorkflowFormat.YAML);
    }

    @Test
    void aStepThatWaitsDoesNothingElse() {
        assertThat(errors("""
                        name: w
                        steps:
                          - {name: a, waitForSignal: go, service: s, retry: {}}
                          - {name: b, waitForSignal: go}
                        """))
                .containsExactly(
                        "steps[0].service line 3: cannot be combined with `waitForSignal`",
                        "steps[0].retry line 3: cannot be combined with `waitForSignal`",
                        "steps[1].waitForSignal line 4: is already awaited by another step");
    }

    @Test
    void groupsAreNotNestedNorEmptyNorNamed() {
        assertThat(errors("name: g\nsteps:\n  - parallel:\n      - parallel: []\n"))
                .isNotEmpty();
        assertThat(errors("name: g\nsteps:\n  - parallel: []\n"))
                .containsExactly("steps[0].parallel line 3: must be a list of 1 to 50 steps");
        assertThat(errors("name: g\nsteps:\n  - name: x\n    parallel:\n      - {name: a, waitForSignal: go}\n"))
                .containsExactly("steps[0].name line 3: is not a known key");
    }

    @Test
    void thereAreOneTo200Steps() {
        assertThat(errors("name: none\nsteps: []\n")).containsExactly("steps line 2: must be a list of 1 to 200 steps");
        var many = new StringBuilder("name: many\nsteps:\n");
        for (int group = 0; group < 5; group++) {
            many.append("  - parallel:\n");
            for (int i = 0; i < 41; i++) {
                many.append("      - {name: s%d-%d, service: s, method: m}\n".formatted(group, i));
            }
        }
        assertThat(errors(many.toString()))
                .containsExactly("steps line 2: must be at most 200, counting parallel ones");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# nothing",
                "just a text",
                "- a\n- list",
                "name: a\nname: b",
                "name: &x a\nsteps: *x",
                "name: !!str a",
                "name: a\n---\nname: b",
                "a: [",
                "{[a]: b}",
                "name: \"\\0\"",
                "name: \"\\ud800\"",
                "name: 1e9999",
                "name: a\u0000b",
                "<<: {name: a}"
            })
    void whatIsNoWorkflowIsRefused(String text) {
        assertThat(errors(text, WorkflowFormat.YAML)).isNotEmpty();
        assertThat(errors(text, WorkflowFormat.JSON)).isNotEmpty();
    }

    @Test
    void whatIsMadeToExhaustTheReaderIsRefused() {
        assertThat(errors("[".repeat(100_000))).hasSize(1);
        assertThat(errors("[".repeat(100_000), WorkflowFormat.JSON)).hasSize(1);
        assertThat(errors("{a: ".repeat(50_000))).hasSize(1);
        assertThat(errors("a".repeat(300_000))).containsExactly("line 1: is larger than 256 KB");
        assertThat(errors(step("input: " + "9".repeat(200_000)))).isEmpty();
        assertThat(errors("k".repeat(1000) + ": 1")).isNotEmpty();
    }
}
