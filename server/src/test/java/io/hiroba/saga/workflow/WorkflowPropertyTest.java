package io.hiroba.saga.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.hiroba.platform.problem.Problem;
import io.hiroba.saga.workflow.RetryPolicy.Backoff;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import tools.jackson.databind.json.JsonMapper;

/** Whatever can be written is read as it was meant, and whatever else is sent is refused with a reason. */
class WorkflowPropertyTest {

    private static final List<String> WORDS = List.of(
            "name: ",
            "steps:\n",
            "  - ",
            "    ",
            "service: s\n",
            "method: m\n",
            "parallel:\n",
            "waitForSignal: go\n",
            "retry: {",
            "}",
            "]",
            "[",
            "{",
            "timeout: 5s\n",
            "input: $.payload\n",
            "- name: a\n",
            "&a ",
            "*a",
            "!!int ",
            "|\n",
            ">-\n",
            "? ",
            ": ",
            ", ",
            "\"",
            "'",
            "\\u",
            "\\x0",
            "%YAML 1.2\n",
            "---\n",
            "...\n",
            "#",
            "\t",
            "\n",
            "\r",
            "1e999999999",
            "0x",
            "\uD83D",
            "\uFEFF",
            "\u0000",
            "\u0085",
            "é",
            "null",
            "~",
            "<<: *a\n",
            "@",
            "`");

    @Provide
    Arbitrary<WorkflowDefinition> definitions() {
        return Arbitraries.randomValue(WorkflowPropertyTest::definition);
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(Arbitraries.of(WORDS), Arbitraries.strings().ofMaxLength(5))
                .list()
                .ofMaxSize(30)
                .map(parts -> String.join("", parts));
    }

    @Property
    void whatIsWrittenIsReadAgain(@ForAll("definitions") WorkflowDefinition definition) {
        assertThat(WorkflowReader.read(WorkflowTexts.json(definition), WorkflowFormat.JSON))
                .isEqualTo(definition);
        assertThat(WorkflowReader.read(WorkflowTexts.yaml(definition), WorkflowFormat.YAML))
                .isEqualTo(definition);
    }

    @Property(tries = 3000)
    void anyTextIsAWorkflowOrABadOne(@ForAll("texts") String text) {
        for (var format : WorkflowFormat.values()) {
            try {
                WorkflowReader.read(text, format);
            } catch (Problem e) {
                assertThat(e.code()).isEqualTo("saga.bad-workflow");
                assertThat(e.fields()).isNotEmpty();
                assertThat(JsonMapper.shared().writeValueAsBytes(e.fields())).isNotEmpty();
            } catch (RuntimeException e) {
                fail("%s: %s", format, text, e);
            }
        }
    }

    @Property
    void aWorkflowWithAFaultIsAWorkflowOrABadOne(
            @ForAll("definitions") WorkflowDefinition definition, @ForAll("texts") String fault, @ForAll int position) {
        var text = WorkflowTexts.yaml(definition);
        int at = Math.floorMod(position, text.length());
        anyTextIsAWorkflowOrABadOne(text.substring(0, at) + fault + text.substring(at));
    }

    private static WorkflowDefinition definition(Random random) {
        var steps = new ArrayList<Step>();
        int stages = 1 + random.nextInt(4);
        boolean waits = false;
        for (int stage = 0; stage < stages; stage++) {
            int earlier = steps.size();
            int members = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
            for (int i = 0; i < members; i++) {
                var step = step(random, steps.size(), stage, earlier);
                waits |= !(step.work() instanceof Step.Call);
                steps.add(step);
            }
        }
        var total = random.nextBoolean() ? duration(random, 1) : waits ? null : Duration.ofMinutes(5);
        return new WorkflowDefinition(
                "flow-" + random.nextInt(1000) + ".x_Y",
                random.nextBoolean() ? 1 + random.nextInt(1000) : null,
                random.nextBoolean() ? random.nextBoolean() : null,
                steps,
                total,
                random.nextBoolean() ? List.of() : List.of(attribute(random)),
                random.nextBoolean() ? mapping(random, steps.size()) : null,
                random.nextBoolean() ? 1 + random.nextInt(100) : null,
                random.nextBoolean() ? PayloadSchema.NONE : payload(random));
    }

    private static PayloadSchema payload(Random random) {
        var field = new Step.Field("amount", "Amount", Step.FieldType.NUMBER, random.nextBoolean(), List.of());
        var initial = random.nextBoolean()
                ? null
                : JsonMapper.shared().getNodeFactory().numberNode(new BigDecimal("12.5"));
        return new PayloadSchema(List.of(new PayloadSchema.PayloadField(field, initial)));
    }

    private static SearchAttribute attribute(Random random) {
        var type = List.of(SearchAttribute.Type.values()).get(random.nextInt(4));
        return new SearchAttribute("a_1", type, new InputMapping(Scalars.text("=payload.a")));
    }

    private static Step step(Random random, int index, int stage, int earlier) {
        var name = "step-" + index;
        var when = random.nextInt(4) == 0
                ? new StepCondition(List.of(new StepCondition.Term("payload.a == " + index, true)))
                : null;
        if (random.nextInt(6) == 0) {
            boolean isUntil = random.nextBoolean();
            var time = List.of("10m", "PT1H", "=payload.sleep", "2027-01-31T09:00:00+09:00", "=payload.at")
                    .get(isUntil ? 3 + random.nextInt(2) : random.nextInt(3));
            var work = new Step.Timer(isUntil, new InputMapping(Scalars.text(time)));
            return new Step(index, stage, name, work, null, RetryPolicy.DEFAULT, when, null);
        }
        if (random.nextInt(5) == 0) {
            return new Step(
                    index,
                    stage,
                    name,
                    new Step.Signal("signal." + index),
                    random.nextBoolean() ? duration(random, 1) : null,
                    RetryPolicy.DEFAULT);
        }
        var compensate = random.nextBoolean() ? "Un.Do" : null;
        var work = new Step.Call(
                "service" + random.nextInt(3),
                random.nextBoolean() ? "pkg.Service.Method" : "v1/do-it",
                compensate,
                random.nextBoolean() ? mapping(random, earlier) : null,
                compensate != null && random.nextBoolean() ? mapping(random, earlier) : null);
        var output = random.nextInt(4) == 0 ? mapping(random, earlier) : null;
        return new Step(index, stage, name, work, duration(random, 1), retry(random), when, output);
    }

    /** May refer to the first {@code visible} steps. */
    private static InputMapping mapping(Random random, int visible) {
        var input = JsonMapper.shared().createObjectNode();
        input.put("payload", "$.payload" + (random.nextBoolean() ? ".a[3].b?" : ""));
        input.put(
                "text",
                List.of("yes", "1", " a: b #", "- x", "\"'", "né\n🍣", "", "null")
                        .get(random.nextInt(8)));
        input.put("number", random.nextInt());
        if (visible > 0) {
            input.put("step", "$.steps.step-%d.id".formatted(random.nextInt(visible)));
        }
        input.put("large", random.nextLong());
        input.putArray("list").add(random.nextBoolean()).addNull().addObject().put("$", "{}");
        return new InputMapping(input);
    }

    private static RetryPolicy retry(Random random) {
        var initial = duration(random, 0);
        var longest = initial.plusMillis(random.nextInt(1000));
        return new RetryPolicy(
                1 + random.nextInt(1000),
                List.of(Backoff.values()).get(random.nextInt(3)),
                initial,
                longest,
                random.nextInt(11) / 10.0);
    }

    private static Duration duration(Random random, int least) {
        return Duration.ofMillis(least + random.nextInt(80_000_000) / (1 << random.nextInt(20)));
    }
}
