package io.hiroba.inbox.items;

/**
 * How many items somebody has in each view.
 *
 * @param unread how many of those to do have not been read
 */
public record Counts(long todo, long snoozed, long saved, long done, long unread) {}
