package io.hiroba.activity;

/**
 * How many unread cards somebody has.
 *
 * @param more whether there are even more than {@code count}
 */
public record Unread(int count, boolean more) {}
