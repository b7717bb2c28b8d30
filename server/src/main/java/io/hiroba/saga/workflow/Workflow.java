package io.hiroba.saga.workflow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a saga, one after the other, some of them side by side.
 *
 * @param steps by their index; those of one stage are executed at the same time
 * @param totalTimeout how long it may take to go forward; null where it may wait for ever
 */
public record Workflow(
        String name,
        int version,
        List<Step> steps,
        @Nullable Duration totalTimeout) {

    private static final String HIROBA = "hiroba";

    public Workflow {
        steps = List.copyOf(steps);
    }

    /** Whether this is the name of a workflow that comes with Hiroba: nobody else registers or starts one. */
    public static boolean isOwn(String name) {
        return isHirobas(name);
    }

    /** The first service of these steps that carries out Hiroba's own: only Hiroba's own workflows may call it. */
    static Optional<String> ownService(List<Step> steps) {
        return steps.stream()
                .flatMap(step -> step.work() instanceof Step.Call call ? Stream.of(call.service()) : Stream.empty())
                .filter(Workflow::isHirobas)
                .findFirst();
    }

    /** In either case: nobody should have to look twice whose name it is. */
    private static boolean isHirobas(String name) {
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

    /** Whether a step waits for this signal. */
    public boolean waitsFor(String signal) {
        return steps.stream()
                .anyMatch(step ->
                        step.work() instanceof Step.Signal wait && wait.name().equals(signal));
    }
}
