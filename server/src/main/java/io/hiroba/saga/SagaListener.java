package io.hiroba.saga;

import java.util.List;

/** A listener for the updates of one saga, called by one thread at a time. Its methods must neither block nor throw. */
interface SagaListener {

    void changed(SagaUpdate update);

    /** There are no more updates: the saga has ended or was deleted, or the watcher has lost their role. */
    void ended();

    /** The lifetime of the watch is over; a client that reconnects authenticates again. */
    default void expired() {
        ended();
    }

    /** Whether it accepts no more updates. */
    default boolean isFull() {
        return false;
    }

    /**
     * The state of a saga and the attempts that ended since the last update.
     *
     * @param attempts in the order of their ends
     * @param sent the number of attempts sent so far, with these
     */
    record SagaUpdate(Saga saga, List<StepLog> attempts, int sent) {

        public SagaUpdate {
            attempts = List.copyOf(attempts);
        }
    }
}
