package io.hiroba.records.tuning;

/** The state of an index. */
public enum IndexState {
    /** Waits to be built; one is built at a time. */
    WANTED,
    /** Being built; after a crash it is built again. */
    BUILDING,
    /** Used by queries. */
    READY,
    /** The build failed. */
    FAILED,
    /** Not used by queries any more; dropped when all nodes have stopped using it. */
    DROPPING
}
