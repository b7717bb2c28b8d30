package io.hiroba.saga.workflow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a saga has to do: steps one after the other, some of them side by side.
 *
 * @param steps by their index; those of one stage are executed at the same time
 * @param totalTimeout how long it may take to go forward; null where it may wait for ever
 */
public record Workflow(
        String name,
        int version,
        List<Step> steps,
        @Nullable Duration totalTimeout) {

    private static final String OWN = "hiroba.";

    public Workflow {
        steps = List.copyOf(steps);
    }

    /** Whether this is the name of a workflow that comes with Hiroba: nobody else registers or starts one. */
    public static boolean isOwn(String name) {
        return name.startsWith(OWN);
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
