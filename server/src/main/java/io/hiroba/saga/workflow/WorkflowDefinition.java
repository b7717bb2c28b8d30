package io.hiroba.saga.workflow;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as its author wrote it.
 *
 * @param version which one it says it is; null where the next one is meant
 * @param enabled whether sagas may be started; null for the same as before
 */
record WorkflowDefinition(
        String name,
        @Nullable Integer version,
        @Nullable Boolean enabled,
        List<Step> steps,
        @Nullable Duration totalTimeout) {

    WorkflowDefinition {
        steps = List.copyOf(steps);
    }

    Workflow as(int registered) {
        return new Workflow(name, registered, steps, totalTimeout);
    }
}
