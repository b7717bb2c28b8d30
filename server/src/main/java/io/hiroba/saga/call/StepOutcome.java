package io.hiroba.saga.call;

import io.hiroba.platform.i18n.Text;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The outcome of a call. Its reasons are stored and shown, so they contain nothing that the service answered. */
public sealed interface StepOutcome {

    /**
     * The service did it.
     *
     * @param answer JSON null where there was none, or none that can be stored
     */
    record Done(JsonNode answer) implements StepOutcome {

        static final Done WITHOUT_ANSWER = new Done(JsonMapper.shared().nullNode());
    }

    /**
     * The service did not do it.
     *
     * @param permanent whether a retry is of no use
     * @param retryAfter the delay that the service asks for
     */
    record Failed(Text reason, boolean permanent, @Nullable Duration retryAfter) implements StepOutcome {

        public static Failed retryable(Text reason) {
            return new Failed(reason, false, null);
        }

        public static Failed nonRetryable(Text reason) {
            return new Failed(reason, true, null);
        }
    }

    /** There was no answer in time: the service may or may not have done it. */
    record TimedOut(Text reason) implements StepOutcome {}
}
