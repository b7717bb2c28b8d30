package io.hiroba.saga.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.saga.SagaProblem;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Conditions, switches, timers, approvals and expressions of workflows. */
class WorkflowLanguageTest {

    @Test
    void theCasesOfASwitchBeginAtTheSameStage() {
        var workflow = read("""
                name: order
                steps:
                  - {name: quote, service: s, method: m}
                  - switch:
                      - when: payload.total > 100
                        steps:
                          - {name: review, waitForSignal: reviewed}
                          - parallel:
                              - {name: pack, service: s, method: m}
                              - {name: bill, service: s, method: m, when: steps.review.ok}
                      - when: steps.quote.cheap
                        steps:
                          - {name: send, service: s, method: m}
                      - otherwise: true
                        steps:
                          - {name: rest, sleep: 10m}
                  - {name: close, service: s, method: m, input: {by: "=has(steps.send) ? 'mail' : 'van'"}}
                """);
        assertThat(workflow.steps())
                .extracting(step -> step.index() + " " + step.stage() + " " + step.name())
                .containsExactly(
                        "0 0 quote", "1 1 review", "2 1 send", "3 1 rest", "4 2 pack", "5 2 bill", "6 3 close");
        assertThat(workflow.steps())
                .extracting(step -> step.when() == null ? "" : step.when().text())
                .containsExactly(
                        "",
                        "payload.total > 100",
                        "!(payload.total > 100) && (steps.quote.cheap)",
                        "!(payload.total > 100) && !(steps.quote.cheap)",
                        "payload.total > 100",
                        "(payload.total > 100) && (steps.review.ok)",
                        "");
        assertThat(workflow.totalTimeout()).isNull();
    }

    @Test
    void aSwitchInACaseAddsToItsCondition() {
        var workflow = read("""
                name: order
                steps:
                  - switch:
                      - when: payload.a
                        steps:
                          - switch:
                              - {when: payload.b, steps: [{name: both, service: s, method: m}]}
                              - {otherwise: true, steps: [{name: only, service: s, method: m}]}
                """);
        assertThat(workflow.steps())
                .extracting(step -> step.when() == null ? "" : step.when().text())
                .containsExactly("(payload.a) && (payload.b)", "(payload.a) && !(payload.b)");
    }

    @Test
    void inputsAreMadeByExpressionsAndReferences() throws InputMapping.MissingValue {
        var workflow = read("""
                name: order
                steps:
                  - {name: charge, service: s, method: m}
                  - name: send
                    service: s
                    method: m
                    input:
                      sum: "=payload.items.map(i, i.price).sum()"
                      id: $.steps.charge.id
                      literal: "==1"
                      list: ["=steps.charge.id + '!'"]
                    output: {number: "=answer.number", "for": $.answer.for, total: "=payload.items.size()"}
                """);
        var step = workflow.steps().getLast();
        var payload = JsonMapper.shared().readTree("{\"items\": [{\"price\": 2}, {\"price\": 3}]}");
        var charge = Map.of("charge", JsonMapper.shared().readTree("{\"id\": \"c-1\"}"));
        var input = ((Step.Call) step.work()).input();
        assertThat(input).isNotNull();
        assertThat(input.apply(payload, charge))
                .hasToString("{\"sum\":5,\"id\":\"c-1\",\"literal\":\"=1\",\"list\":[\"c-1!\"]}");
        assertThat(step.output()).isNotNull();
        var answer = JsonMapper.shared().readTree("{\"number\": 7, \"for\": \"Ada\", \"secret\": 1}");
        assertThat(step.output().apply(new SagaValues(payload, charge, answer)))
                .hasToString("{\"number\":7,\"for\":\"Ada\",\"total\":2}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {name: x, service: s, method: m, when: 'payload.'}             | line 5: `steps[1].when` is not a valid expression: line 1, column 9
            {name: x, service: s, method: m, when: 'steps.x.ok'}           | `steps[1].when` refers to `x`, which is not an earlier step
            {name: x, service: s, method: m, when: 'size(steps) > 0'}      | `steps` must be followed by a name
            {name: x, service: s, method: m, when: '1 + 1'}                | `steps[1].when` must be true or false
            {name: x, service: s, method: m, when: true}                   | `steps[1].when` must be a string
            {name: x, service: s, method: m, input: {a: '=1 +'}}           | `steps[1].input` is not a valid expression
            {name: x, service: s, method: m, input: {a: '=steps.no.id'}}   | `steps[1].input` refers to `no`
            {name: x, service: s, method: m, input: {a: '=answer.id'}}     | undeclared reference to 'answer'
            {name: x, service: s, method: m, input: {a: $.answer.id}}      | must refer to $.payload
            {name: x, service: s, method: m, output: {a: '=anser.id'}}     | `steps[1].output` is not a valid expression
            {name: x, sleep: soon}                                         | `steps[1].sleep` must be a duration
            {name: x, sleep: 5000d}                                        | `steps[1].sleep` must be a duration
            {name: x, sleep: '=payload.size() > 1'}                        | `steps[1].sleep` must be a duration
            {name: x, until: tomorrow}                                     | `steps[1].until` must be a moment
            {name: x, until: '2027-01-01T00:00:00Z', sleep: 1s}            | `steps[1].until` cannot be combined with `sleep`
            {name: x, sleep: 1s, service: s}                               | `steps[1].service` cannot be combined with `sleep`
            {name: x, sleep: 1s, timeout: 1s}                              | `steps[1].timeout` cannot be combined with `sleep`
            {switch: [{steps: [{name: x, sleep: 1s}]}]}                    | `steps[1].switch[0].when` is missing
            {switch: [{when: 'true', steps: []}]}                          | `steps[1].switch[0].steps` must be a list of 1 to 200 steps
            {switch: [{otherwise: true, steps: [{name: x, sleep: 1s}]}, {when: 'true', steps: [{name: y, sleep: 1s}]}]} | `steps[1].switch[0].otherwise` must be the last case
            {switch: [{when: 'steps.y.ok', steps: [{name: y, sleep: 1s}]}]} | `steps[1].switch[0].when` refers to `y`
            {switch: [{when: 'true', steps: [{name: y, sleep: 1s}]}, {when: 'steps.y.ok', steps: [{name: z, sleep: 1s}]}]} | `steps[1].switch[1].when` refers to `y`
            {parallel: [{switch: [{when: 'true', steps: [{name: y, sleep: 1s}]}]}]} | `steps[1].parallel[0].switch` cannot be nested
            """)
    void faultsAreSaidWithTheirPlace(String step, String problem) {
        var text = """
                name: order
                # nothing
                steps:
                  - {name: quote, service: s, method: m}
                  - %s
                """.formatted(step);
        var refused = catchThrowableOfType(SagaProblem.class, () -> WorkflowReader.read(text, WorkflowFormat.YAML));
        assertThat(refused).isNotNull();
        assertThat(refused.getMessage()).contains(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {a: {type: text, value: x}}                  | `attributes.a.type` must be string, number, boolean or date
            {a: {type: string}}                          | `attributes.a.value` is missing
            {a.b: {type: string, value: x}}              | `attributes.a.b` must begin with a letter
            {a: {type: string, value: '=steps.x.id'}}    | `attributes.a.value` refers to `x`, which is not an earlier step
            {a: {type: string, value: '=payload.'}}      | `attributes.a.value` is not a valid expression
            {a: {type: string, value: x, typ: y}}        | `attributes.a.typ` is not a known key
            """)
    void faultsOfAttributesAreSaid(String attributes, String problem) {
        var text = "{name: order, attributes: %s, steps: [{name: x, sleep: 1s}]}".formatted(attributes);
        var refused = catchThrowableOfType(SagaProblem.class, () -> WorkflowReader.read(text, WorkflowFormat.YAML));
        assertThat(refused).isNotNull();
        assertThat(refused.getMessage()).contains(problem);
    }

    @ParameterizedTest
    @CsvSource({"10m,600000", "PT10M,600000", "600s,600000", "1.5s,1500", "0s,0", "-3s,-3000"})
    void durationsAreReadAsTheyAreWrittenHereAndElsewhere(String text, long milliseconds) {
        assertThat(Step.Timer.duration(text).orElseThrow()).hasMillis(milliseconds);
        assertThat(List.of(Step.Timer.duration("x"), Step.Timer.duration("P1Y"), Step.Timer.duration("")))
                .allMatch(each -> each.isEmpty());
    }

    private static Workflow read(String text) {
        return WorkflowReader.read(text, WorkflowFormat.YAML).as(1);
    }

    @Test
    void everyMistakeOfAnApprovalIsTold() {
        assertThat(WorkflowReaderTest.errors("""
                        name: order
                        steps:
                          - name: a
                            timeout: 1h
                            approval:
                              assignees: [ann@example.org]
                              quorum: 2
                              title: "{{$.steps.later.x}}"
                              text: "{{$.payload.a}} and {{ $.payload.b"
                              reminder: 2h
                              deadline: 1h
                              form:
                                - {name: c, type: choice}
                        """))
                .containsExactly(
                        "steps[0].timeout line 4: cannot be combined with `approval`: set its `deadline` instead",
                        "steps[0].approval.quorum line 7: is more than the assignees that are named",
                        "steps[0].approval.title line 8: refers to `later`, which is not an earlier step",
                        "steps[0].approval.text line 9: has a reference that begins with {{$. and does not end with }}",
                        "steps[0].approval.reminder line 10: needs a `deadline` that is longer",
                        "steps[0].approval.form[0].options line 13: must be a list of 1 to 100 different texts of one line");
    }
}
