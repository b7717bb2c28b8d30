package io.hiroba.records;

/**
 * The mode in which a batch is written.
 *
 * @param atomic all or nothing; otherwise what can be written is
 * @param prechecked whether constraints are checked beforehand, see {@link ConflictRetry}
 * @param single whether it is about one record, which is not numbered in what is wrong with it
 */
record WriteMode(boolean atomic, boolean prechecked, boolean single) {}
