package io.hiroba.saga.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Steps that start sagas, as they are written. */
class ChildStepReaderTest {

    @Test
    void aStepIsASagaOfAnotherWorkflowOrOneForEachElement() {
        var definition = WorkflowReader.read("""
                name: order
                steps:
                  - {name: ship, workflow: shipping, input: {to: $.payload.address}, timeout: 2h}
                  - name: lines
                    workflow: order-line
                    forEach: $.steps.ship.plan.lines
                    maxParallel: 5
                    input: {line: $.item.id, number: $.index, order: $.payload.id}
                  - {name: all, workflow: order-line, forEach: "$.payload.extras?"}
                  - {name: again, continueAsNew: {payload: {page: $.steps.lines}}}
                """, WorkflowFormat.YAML);
        var work = definition.steps().stream().map(Step::work).toList();
        assertThat(work.get(0)).isInstanceOfSatisfying(Step.Children.class, child -> {
            assertThat(child.workflow()).isEqualTo("shipping");
            assertThat(child.forEach()).isNull();
        });
        assertThat(work.get(1))
                .isInstanceOfSatisfying(
                        Step.Children.class,
                        each -> assertThat(each.maxParallel()).isEqualTo(5));
        assertThat(work.get(2)).isInstanceOfSatisfying(Step.Children.class, each -> {
            assertThat(each.maxParallel()).isEqualTo(10);
            assertThat(each.input()).isNull();
        });
        assertThat(work.get(3))
                .isInstanceOfSatisfying(
                        Step.Continuation.class,
                        next -> assertThat(next.workflow()).isNull());
        // The sagas that it waits for have limits of their own.
        assertThat(definition.totalTimeout()).isNull();
        assertThat(definition.as(1).continuesAsNew()).isTrue();
    }

    @Test
    void aContinuationStandsAloneInItsStageAndExpressionsKnowTheElementInListsOnly() {
        assertThat(WorkflowReaderTest.errors("""
                name: order
                steps:
                  - switch:
                      - when: payload.more
                        steps:
                          - {name: a, service: s, method: m}
                          - {name: b, service: s, method: m}
                      - otherwise: true
                        steps:
                          - {name: c, continueAsNew: {}}
                """))
                .containsExactly(
                        "steps[0].switch[1].steps[0].continueAsNew line 10: must be a step of its own, not one of several in parallel");
        assertThat(WorkflowReaderTest.errors("""
                name: order
                steps:
                  - {name: a, workflow: w, forEach: $.payload.list, input: {x: "=item.x + index"}}
                  - {name: b, workflow: w, input: {x: "=item.x"}}
                """)).singleElement().asString().startsWith("steps[1].input line 4");
        assertThat(WorkflowReaderTest.errors("""
                name: order
                steps:
                  - {name: a, continueAsNew: {}, when: payload.more, output: {x: 1}}
                """))
                .containsExactly("steps[0].output line 3: cannot be combined with `continueAsNew`");
    }

    @Test
    void aCallForEachElementIsAWorkflowOfOneStep() {
        var definition = WorkflowReader.read("""
                name: order
                steps:
                  - name: charge
                    service: bank
                    method: charge
                    compensate: refund
                    forEach: $.payload.lines
                    maxParallel: 3
                    timeout: 5s
                    retry: {maxAttempts: 7}
                    input: {amount: $.item.amount, order: $.payload.id}
                    compensateInput: {id: $.steps.charge.id, at: "=index + 1", of: $.item.id}
                    output: {first: "$.answer[0].id"}
                  - {name: ask, agent: {nickname: almanac, prompt: "Sum it up", data: $.item}, forEach: $.payload.lines}
                """, WorkflowFormat.YAML);
        var workflow = definition.as(4);
        var step = workflow.steps().getFirst();
        assertThat(step.timeout()).isNull();
        assertThat(step.output()).isNotNull();
        assertThat(step.work()).isInstanceOfSatisfying(Step.Children.class, children -> {
            assertThat(children.workflow()).isEqualTo("order/charge");
            assertThat(children.maxParallel()).isEqualTo(3);
        });
        var each = workflow.ofEach("order/charge").orElseThrow();
        assertThat(each.name() + " " + each.version()).isEqualTo("order/charge 4");
        assertThat(each.steps()).singleElement().satisfies(only -> {
            assertThat(only.timeout()).hasSeconds(5);
            assertThat(only.retry().maxAttempts()).isEqualTo(7);
        });
        assertThat(workflow.ofEach("order/ask").orElseThrow().steps().getFirst().asksAgent())
                .isTrue();
        assertThat(workflow.ofEach("order/none")).isEmpty();
        assertThat(definition.totalTimeout()).isNull();
    }

    @Test
    void whatUndoesACallForAnElementRefersToThatAndItsAnswerOnly() {
        assertThat(WorkflowReaderTest.errors("""
                name: order
                steps:
                  - {name: a, service: s, method: m}
                  - name: b
                    service: s
                    method: m
                    compensate: u
                    forEach: $.payload.lines
                    compensateInput: {x: $.payload.x, y: $.steps.a.y, z: "=payload.z", i: "$.index", own: $.steps.b.id}
                  - {name: c, service: s, method: m, maxParallel: 2}
                  - {name: d, waitForSignal: go, forEach: $.payload.lines}
                  - {name: e, service: s, method: m, forEach: lines}
                """))
                .satisfiesExactly(
                        x -> assertThat(x)
                                .isEqualTo("steps[1].compensateInput line 9: with `forEach` must refer to $.item,"
                                        + " $.index or the own answer, not to $.payload.x"),
                        y -> assertThat(y).startsWith("steps[1].compensateInput line 9"),
                        z -> assertThat(z).startsWith("steps[1].compensateInput line 9"),
                        c -> assertThat(c).isEqualTo("steps[2].maxParallel line 10: requires `forEach`"),
                        d -> assertThat(d).isEqualTo("steps[3].forEach line 11: is not a known key"),
                        e -> assertThat(e)
                                .isEqualTo("steps[4].forEach line 12: must refer to a list, such as $.payload.items"));
        var name = "n".repeat(254);
        assertThat(WorkflowReaderTest.errors("""
                name: %s
                steps: [{name: a, service: s, method: m, forEach: $.payload.lines}]
                """.formatted(name)))
                .singleElement()
                .asString()
                .contains("255");
    }

    @Test
    void whatDoesNotFitIsToldWithItsLine() {
        assertThat(WorkflowReaderTest.errors("""
                name: order
                steps:
                  - name: a
                    workflow: shipping
                    service: s
                    maxParallel: 5
                    input: {x: $.item}
                  - name: b
                    workflow: shipping
                    forEach: items
                    maxParallel: 101
                    retry: {maxAttempts: 3}
                  - name: c
                    continueAsNew: {payload: null, versoin: 7}
                  - name: d
                    workflow: shipping
                """))
                .containsExactly(
                        "steps[0].service line 5: cannot be combined with `workflow`",
                        "steps[0].maxParallel line 6: requires `forEach`",
                        "steps[0].input line 7: must refer to $.payload… or $.steps.<name>…, not to $.item",
                        "steps[1].forEach line 10: must refer to a list, such as $.payload.items",
                        "steps[1].maxParallel line 11: must be between 1 and 100",
                        "steps[1].retry line 12: cannot be combined with `workflow`",
                        "steps[2].continueAsNew.payload line 14: must not be null: leave it out or give a value",
                        "steps[2].continueAsNew.versoin line 14: is not a known key",
                        "steps[3].name line 15: comes after `c`, which ends the saga with `continueAsNew`");
        assertThat(WorkflowReaderTest.errors("""
                name: order
                steps:
                  - parallel:
                    - {name: a, service: s, method: m}
                    - {name: b, continueAsNew: {}}
                """))
                .containsExactly("steps[0].parallel[1].continueAsNew line 5: must be a step of its own, not one of"
                        + " several in parallel");
    }
}
