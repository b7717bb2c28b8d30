package io.hiroba.platform.task;

import io.hiroba.platform.i18n.Text;
import java.time.Duration;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * A saga step that a feature carries out in this program. It must be idempotent: a repeat after it took effect returns the same
 * answer.
 *
 * @param service the service that workflows name
 * @param method the method that workflows name
 * @param body takes the step's call and returns its output
 */
public record LocalSagaStep(String service, String method, Function<Call, JsonNode> body) {

    /**
     * A call of a step.
     *
     * @param key the same for every attempt at this step of this saga
     * @param timeout the time of the step
     * @param stopping whether the node stops, so that a step which waits throws {@link Left}
     */
    public record Call(UUID saga, String key, JsonNode input, Duration timeout, BooleanSupplier stopping) {}

    /** A step that needs its input alone. */
    public static LocalSagaStep of(String service, String method, UnaryOperator<JsonNode> body) {
        return new LocalSagaStep(service, method, call -> body.apply(call.input()));
    }

    /** Thrown by a step that leaves its call to another node, since this one stops. */
    public static final class Left extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public Left() {
            super("the node stops", null, false, false);
        }
    }

    /** Thrown where a retry is of no use. The reason is stored and shown. */
    public static final class Refusal extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // never serialised
        private final Text reason;

        public Refusal(Text reason) {
            super(reason.toString(), null, false, false);
            this.reason = reason;
        }

        public Text reason() {
            return reason;
        }
    }
}
