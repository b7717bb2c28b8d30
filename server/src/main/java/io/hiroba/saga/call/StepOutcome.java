package io.hiroba.saga.call;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The outcome of a call. The reasons are stored and shown: they hold nothing of what a service said. */
public sealed interface StepOutcome {

    /**
     * The service did it.
     *
     * @param answer null in JSON where it said nothing, or nothing that can be kept
     */
    record Done(JsonNode answer) implements StepOutcome {

        static final Done WITHOUT_ANSWER = new Done(JsonMapper.shared().nullNode());
    }

    /**
     * The service did not do it.
     *
     * @param permanent whether trying again is of no use
     * @param retryAfter how long the service asks to be left alone
     */
    record Failed(
            String reason, boolean permanent, @Nullable Duration retryAfter) implements StepOutcome {

        public static Failed forNow(String reason) {
            return new Failed(reason, false, null);
        }

        public static Failed forGood(String reason) {
            return new Failed(reason, true, null);
        }
    }

    /** There was no answer in time: it may or may not have been done. */
    record TimedOut(String reason) implements StepOutcome {}
}
