package io.hiroba.saga.workflow;

import io.hiroba.saga.workflow.InputMapping.MissingValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A workflow: the steps of a saga in order, some of them in parallel.
 *
 * @param steps by their index; those of one stage are executed in parallel
 * @param totalTimeout the time limit of the forward execution; null for none
 * @param attributes what its sagas can be found by
 * @param output what the result of a completed saga is made of; null where it has none
 * @param maxRunning how many of its sagas run at once, on all nodes together; null for any number
 * @param payload what its sagas are started with
 */
public record Workflow(
        String name,
        int version,
        List<Step> steps,
        @Nullable Duration totalTimeout,
        List<SearchAttribute> attributes,
        @Nullable InputMapping output,
        @Nullable Integer maxRunning,
        PayloadSchema payload) {

    private static final String HIROBA = "hiroba";

    /** Between the names of a workflow and a step of it, which have none of these. */
    private static final char OF_STEP = '/';

    public Workflow {
        steps = List.copyOf(steps);
        attributes = List.copyOf(attributes);
    }

    public Workflow(String name, int version, List<Step> steps, @Nullable Duration totalTimeout) {
        this(name, version, steps, totalTimeout, List.of(), null, null, PayloadSchema.NONE);
    }

    /** Whether a saga of it waits for a place before it begins. */
    public boolean isLimited() {
        return maxRunning != null;
    }

    /** Whether the name is reserved for built-in workflows, which only the program registers and starts. */
    public static boolean isBuiltIn(String name) {
        return isReserved(name);
    }

    /** The first service of these steps that is reserved for built-in workflows. */
    static Optional<String> reservedService(List<Step> steps) {
        return steps.stream()
                .flatMap(step -> step.call().map(Step.Call::service).stream())
                .filter(service -> isReserved(service) && !service.equals(StepReader.AGENTS))
                .findFirst();
    }

    /** The name of the workflow of the sagas that a step has for the elements of a list, where it is a call itself. */
    static String nameOfEach(String workflow, String step) {
        return workflow + OF_STEP + step;
    }

    /** Whether sagas of this name are those of a step, which nobody else starts. */
    public static boolean isOfStep(String name) {
        return name.indexOf(OF_STEP) >= 0;
    }

    /** The name that is registered: of the workflow whose step it is, if it is one of a step. */
    public static String registeredName(String name) {
        int end = name.indexOf(OF_STEP);
        return end < 0 ? name : name.substring(0, end);
    }

    /** The workflow of the sagas of a step, by its name; empty where it has no such step. */
    public Optional<Workflow> ofEach(String each) {
        return steps.stream()
                .filter(step -> step.work() instanceof Step.Children children
                        && children.each() != null
                        && children.workflow().equals(each))
                .map(step -> ((Step.Children) step.work()).each())
                .filter(Objects::nonNull)
                .findFirst()
                .map(step -> new Workflow(
                        each,
                        version,
                        List.of(step),
                        null,
                        List.of(),
                        new InputMapping(Scalars.text("$.steps." + step.name())),
                        null,
                        PayloadSchema.NONE));
    }

    /** What the inputs of its steps read; those of a saga for an element of a list know the element. */
    public SagaValues values(JsonNode payload, Map<String, JsonNode> answers) {
        return isOfStep(name)
                ? new SagaValues(
                        payload,
                        answers,
                        null,
                        new SagaValues.Element(
                                payload.path(SagaValues.ITEM),
                                payload.path(SagaValues.INDEX).asInt(0)))
                : new SagaValues(payload, answers);
    }

    /** The first workflow that these steps start and that is reserved: only the program starts those. */
    static Optional<String> reservedWorkflow(List<Step> steps) {
        return steps.stream()
                .flatMap(step -> {
                    if (step.work() instanceof Step.Children children) {
                        return Stream.of(children.workflow());
                    }
                    return step.work() instanceof Step.Continuation next
                            ? Stream.ofNullable(next.workflow())
                            : Stream.empty();
                })
                .filter(Workflow::isReserved)
                .findFirst();
    }

    /** Whether its sagas go on as others. */
    public boolean continuesAsNew() {
        return steps.getLast().work() instanceof Step.Continuation;
    }

    /** Whatever the case, so that no name looks like a reserved one. */
    private static boolean isReserved(String name) {
        var lower = name.toLowerCase(Locale.ROOT);
        return lower.equals(HIROBA) || lower.startsWith(HIROBA + ".");
    }

    /** The steps of each stage, in order. */
    public List<List<Step>> stages() {
        var stages = new ArrayList<List<Step>>();
        for (var step : steps) {
            if (step.stage() == stages.size()) {
                stages.add(new ArrayList<>());
            }
            stages.get(step.stage()).add(step);
        }
        return stages;
    }

    /** What its output makes of a completed saga; null where there is none, or what it needs is not there. */
    public @Nullable JsonNode result(JsonNode payload, Map<String, JsonNode> answers) {
        try {
            return output == null ? null : output.apply(payload, answers);
        } catch (MissingValue e) {
            return null;
        }
    }

    /** The step that waits for this signal. */
    public Optional<Step> waitingFor(String signal) {
        return steps.stream()
                .filter(step ->
                        step.work() instanceof Step.Signal wait && wait.name().equals(signal))
                .findFirst();
    }
}
