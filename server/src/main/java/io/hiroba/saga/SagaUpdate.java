package io.hiroba.saga;

import java.util.List;

/**
 * Where a saga stands, and what happened since it was last told of.
 *
 * @param attempts those that have ended since, in that order
 * @param told how many attempts of the saga are told of with these
 */
public record SagaUpdate(Saga saga, List<StepLog> attempts, int told) {

    public SagaUpdate {
        attempts = List.copyOf(attempts);
    }
}
