package io.hiroba.saga.workflow;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parsed workflow definition.
 *
 * @param version null for the next one
 * @param enabled whether sagas may be started; null to leave it unchanged
 */
record WorkflowDefinition(
        String name,
        @Nullable Integer version,
        @Nullable Boolean enabled,
        List<Step> steps,
        @Nullable Duration totalTimeout,
        List<SearchAttribute> attributes,
        @Nullable InputMapping output,
        @Nullable Integer maxRunning,
        PayloadSchema payload) {

    WorkflowDefinition {
        steps = List.copyOf(steps);
        attributes = List.copyOf(attributes);
    }

    Workflow as(int registered) {
        return new Workflow(name, registered, steps, totalTimeout, attributes, output, maxRunning, payload);
    }
}
