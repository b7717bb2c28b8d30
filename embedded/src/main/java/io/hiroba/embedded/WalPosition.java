package io.hiroba.embedded;

/**
 * A position in the write-ahead log.
 *
 * @param lsn as PostgreSQL writes it, such as {@code 0/2000028}
 * @param segment the file that holds it; of an end, the file that holds the last byte before it
 */
public record WalPosition(String lsn, int timeline, long segment) {}
