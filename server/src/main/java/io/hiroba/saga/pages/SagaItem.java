package io.hiroba.saga.pages;

import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.saga.SagaSummary;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A saga in the list.
 *
 * @param started how long ago that was
 * @param exact when exactly
 * @param took how long it took, or has taken
 */
public record SagaItem(
        String id,
        String workflow,
        int version,
        Standing standing,
        @Nullable String correlationId,
        @Nullable String error,
        String started,
        String exact,
        String took) {

    static SagaItem of(SagaSummary saga, ReaderClock when) {
        var until = saga.status().isTerminal() ? saga.updatedAt() : when.now();
        return new SagaItem(
                saga.id().toString(),
                saga.workflowName(),
                saga.workflowVersion(),
                Standing.of(saga.status(), saga.stuck(), saga.running()),
                saga.correlationId(),
                saga.errorMessage(),
                when.ago(saga.createdAt()),
                when.exact(saga.createdAt()),
                Took.text(Duration.between(saga.createdAt(), until)));
    }
}
