package io.hiroba.saga;

import io.hiroba.platform.i18n.Text;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request to start a saga.
 *
 * @param payload the input of its steps
 * @param initiatedBy given for built-in workflows only; otherwise it is the caller
 * @param traceparent the W3C trace context of the start, passed on to the services
 * @param priority 0 to 9: the higher, the sooner it is claimed where nodes are busy
 */
public record NewSaga(
        String workflowName,
        JsonNode payload,
        @Nullable String correlationId,
        @Nullable String initiatedBy,
        @Nullable String traceparent,
        int priority) {

    public static final int DEFAULT_PRIORITY = 5;
    public static final int MAX_PRIORITY = 9;

    public NewSaga(
            String workflowName,
            JsonNode payload,
            @Nullable String correlationId,
            @Nullable String initiatedBy,
            @Nullable String traceparent) {
        this(workflowName, payload, correlationId, initiatedBy, traceparent, DEFAULT_PRIORITY);
    }

    /** A priority as it is typed; {@code otherwise} where nothing is. */
    public static int priority(String typed, int otherwise) {
        var text = typed.strip();
        return text.isEmpty() ? otherwise : requirePriority(text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1);
    }

    /** The priority, unless it is none. */
    public static int requirePriority(int priority) {
        if (priority < 0 || priority > MAX_PRIORITY) {
            throw SagaProblem.invalid("priority", Text.of("http.field.number-between", "min", 0, "max", MAX_PRIORITY));
        }
        return priority;
    }

    /** The same request in this trace. */
    public NewSaga in(@Nullable String trace) {
        return new NewSaga(workflowName, payload, correlationId, initiatedBy, trace, priority);
    }

    /** The same request with another payload. */
    public NewSaga with(JsonNode other) {
        return new NewSaga(workflowName, other, correlationId, initiatedBy, traceparent, priority);
    }
}
