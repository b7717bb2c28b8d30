package io.hiroba.inbox;

/**
 * The numbers of a user's items in each view.
 *
 * @param unread how many of those to do have not been read
 */
public record InboxCounts(long todo, long snoozed, long saved, long done, long unread) {}
