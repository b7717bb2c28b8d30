package io.hiroba.saga.engine;

/** A hook that tests use to end the process at a given point. */
@FunctionalInterface
public interface FaultInjector {

    /** A point at which a crash is hardest to recover from. */
    enum Point {
        /** The saga is committed and not yet running. */
        STARTED,
        /** A due saga, or one of a dead node, is claimed. */
        CLAIMED,
        BEFORE_CALL,
        /** The service was called, and the outcome is not logged. */
        AFTER_CALL,
        /** The new state is committed, and the driver has not seen it. */
        WRITTEN,
        /** Sagas of a dead node are freed. */
        FREED
    }

    FaultInjector NONE = point -> {};

    void at(Point point);
}
