package io.hiroba.saga.engine;

/** A hook that tests use to end the process at a given point. */
@FunctionalInterface
public interface FaultInjector {

    /** A point at which a crash is hardest to recover from. */
    enum Point {
        /** The saga is there, and nobody has begun with it. */
        STARTED,
        /** A saga that was waiting, or a dead node's, is this node's. */
        CLAIMED,
        BEFORE_CALL,
        /** The service did it, and nobody here knows. */
        AFTER_CALL,
        /** The new state is there, and the driver does not know. */
        WRITTEN,
        /** Sagas of a dead node are free. */
        FREED
    }

    FaultInjector NONE = point -> {};

    void at(Point point);
}
