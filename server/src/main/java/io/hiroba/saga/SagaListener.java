package io.hiroba.saga;

import java.util.List;

/** A listener for the updates of one saga, called by one thread at a time. Neither method may wait or throw. */
interface SagaListener {

    void changed(SagaUpdate update);

    /** There are no more updates: the saga has ended or is gone, or who watches may not see it any more. */
    void ended();

    /** The watch has lasted as long as one may. Who comes again is asked again who they are. */
    default void expired() {
        ended();
    }

    /** Whether it takes no more updates. */
    default boolean isFull() {
        return false;
    }

    /**
     * The state of a saga and the attempts that ended since the last update.
     *
     * @param attempts those that have ended since, in that order
     * @param sent how many attempts of the saga are sent with these
     */
    record SagaUpdate(Saga saga, List<StepLog> attempts, int sent) {

        public SagaUpdate {
            attempts = List.copyOf(attempts);
        }
    }
}
