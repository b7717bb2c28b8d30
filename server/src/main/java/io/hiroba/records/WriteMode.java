package io.hiroba.records;

/**
 * The mode in which a batch is written.
 *
 * @param atomic all or nothing; otherwise the valid records are written
 * @param prechecked whether constraints are checked beforehand, see {@link ConflictRetry}
 * @param single whether the request is about one record, whose errors carry no index
 */
record WriteMode(boolean atomic, boolean prechecked, boolean single) {}
