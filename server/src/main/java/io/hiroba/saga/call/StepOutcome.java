package io.hiroba.saga.call;

import io.hiroba.platform.i18n.Text;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The outcome of a call. Its reasons and answers are stored and shown, so they are bounded, and secret fields are masked. */
public sealed interface StepOutcome {

    /**
     * The service did it.
     *
     * @param answer JSON null where there was none, or none that can be stored
     * @param head an object with the status, and why the answer is not kept; null where it is, or there was none
     */
    record Done(JsonNode answer, @Nullable JsonNode head) implements StepOutcome {

        static final Done WITHOUT_ANSWER = new Done(JsonMapper.shared().nullNode());

        public Done(JsonNode answer) {
            this(answer, null);
        }

        static Done notKept(String status, Unkept reason) {
            var nothing = JsonMapper.shared().nullNode();
            var head = JsonMapper.shared().createObjectNode().put("status", status);
            return new Done(nothing, head.put("notKept", reason.name()));
        }
    }

    /** The reasons for which the answer of a service that succeeded is not kept. */
    enum Unkept {
        TOO_LARGE,
        NO_JSON,
        NOT_STORABLE
    }

    /**
     * The service did not do it.
     *
     * @param permanent whether a retry is of no use
     * @param retryAfter the delay that the service asks for
     * @param answer the answer with which it refused, if there was one
     * @param maybeDone whether it may have taken effect all the same
     */
    record Failed(
            Text reason,
            boolean permanent,
            @Nullable Duration retryAfter,
            @Nullable KeptAnswer answer,
            boolean maybeDone)
            implements StepOutcome {

        public Failed(Text reason, boolean permanent, @Nullable Duration retryAfter) {
            this(reason, permanent, retryAfter, null, false);
        }

        public static Failed retryable(Text reason) {
            return new Failed(reason, false, null);
        }

        public static Failed nonRetryable(Text reason) {
            return new Failed(reason, true, null);
        }

        /** The same, of a call that may have taken effect. */
        public Failed asMaybeDone() {
            return new Failed(reason, permanent, retryAfter, answer, true);
        }
    }

    /**
     * The answer of a service that refused, as it is kept.
     *
     * @param body null if there was none
     * @param head an object with the status, the headers of interest, and whether the body is cut
     */
    record KeptAnswer(@Nullable JsonNode body, JsonNode head) {}

    /** There was no answer in time: the service may or may not have done it. */
    record TimedOut(Text reason) implements StepOutcome {}

    /** Nothing yet: a task says later how the call ended, and wakes the saga. */
    record Pending() implements StepOutcome {}
}
