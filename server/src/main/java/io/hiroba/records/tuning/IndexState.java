package io.hiroba.records.tuning;

/** The state of an index. */
public enum IndexState {
    /** Asked for; one is made at a time. */
    WANTED,
    /** Being made; still so after a crash, and then made again. */
    BUILDING,
    /** Queries may count on it. */
    READY,
    /** It could not be made. */
    FAILED,
    /** No query counts on it any more; it goes when all nodes have heard of that. */
    DROPPING
}
