package io.hiroba.records.data;

/**
 * How a request is carried out.
 *
 * @param atomic all or nothing; otherwise what can be written is
 * @param careful whether to ask beforehand what would break a promise, see {@link Contention}
 * @param single whether it is about one record, which is not numbered in what is wrong with it
 */
record Manner(boolean atomic, boolean careful, boolean single) {}
