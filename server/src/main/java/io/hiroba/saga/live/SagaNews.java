package io.hiroba.saga.live;

import io.hiroba.saga.Saga;
import io.hiroba.saga.StepLog;
import java.util.List;

/**
 * Where a saga stands, and what happened since it was last told of.
 *
 * @param attempts those that have ended since, in that order
 * @param told how many attempts of the saga are told of with these
 */
public record SagaNews(Saga saga, List<StepLog> attempts, int told) {

    public SagaNews {
        attempts = List.copyOf(attempts);
    }
}
