package io.hiroba.saga.engine;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.InputMapping.MissingValue;
import io.hiroba.saga.workflow.SagaValues;
import io.hiroba.saga.workflow.Step;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The answer of a step as later steps see it.
 *
 * @param failure why it could not be made; then it is the answer of the service. The step took effect nevertheless, and is
 *     undone with the rest.
 */
record StepOutput(JsonNode answer, @Nullable Text failure) {

    static StepOutput of(SagaProgress progress, Step step, JsonNode answer) {
        var mapping = step.output();
        if (mapping == null) {
            return new StepOutput(answer, null);
        }
        try {
            var output = mapping.apply(new SagaValues(progress.saga().payload(), progress.answers(), answer));
            return JsonSize.exceeds(output, StepInvoker.MAX_INPUT_SIZE)
                    ? new StepOutput(answer, Text.of("saga.journal.output-too-large"))
                    : new StepOutput(output, null);
        } catch (MissingValue e) {
            return new StepOutput(answer, e.reason());
        }
    }
}
