package io.hiroba.inbox.live;

/**
 * How a reader's inbox stands.
 *
 * @param version grows with every change, also with those that leave the counts as they were
 */
record Standing(long version, Tally tally) {

    static final Standing EMPTY = new Standing(0, new Tally(0, 0, 0, 0, 0));

    /** As the API answers when asked for the counts. */
    record Tally(long todo, long snoozed, long saved, long done, long unread) {}
}
