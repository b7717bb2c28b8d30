package io.hiroba.saga.engine;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The next state of a saga and the attempt that led to it.
 *
 * @param from the status that the writer has seen
 * @param currentStep null leaves it unchanged
 * @param error shown with the saga; null leaves it unchanged
 * @param stuck whether it needs an operator
 * @param release whether it has no owner from now on; it is due after {@code wakeIn}, if that is set
 * @param signals how many signals the writer has seen: if there are more, the saga is due at once
 * @param underWay whether other calls are, or may be, running
 * @param waitingFor the signal, or the step with an approval, that the saga waits for from now on; null for neither
 */
record SagaChange(
        SagaId id,
        int fence,
        SagaStatus from,
        SagaStatus status,
        @Nullable Integer currentStep,
        @Nullable Text error,
        boolean stuck,
        boolean release,
        @Nullable Duration wakeIn,
        int signals,
        boolean underWay,
        @Nullable LogEntry log,
        @Nullable String waitingFor) {

    /** The same saga as it was, due at once for any node. */
    SagaChange putBack() {
        return new SagaChange(
                id, fence, from, from, null, null, false, true, Duration.ZERO, signals, false, null, null);
    }

    /**
     * The attempt as it is logged.
     *
     * @param responseHead the status and headers of a service that refused, or whose answer is not kept
     * @param maybeDone whether it failed in a way that does not tell whether it took effect
     */
    record LogEntry(
            int step,
            String name,
            StepAction action,
            int attempt,
            StepStatus status,
            @Nullable JsonNode request,
            @Nullable JsonNode answer,
            @Nullable Text error,
            Duration took,
            @Nullable Duration retryIn,
            @Nullable JsonNode responseHead,
            boolean maybeDone) {}

    /**
     * The state that was written.
     *
     * @param due whether it has no owner and is due: a signal came, or a child ended, after the writer had looked
     */
    record Written(SagaStatus status, @Nullable SagaStatus undoneAs, boolean due) {}
}
