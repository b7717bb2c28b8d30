package io.hiroba.activity;

/**
 * The number of unread cards of a reader, as JSON shows it too.
 *
 * @param more whether there are even more than {@code unread}
 */
record UnreadCount(int unread, boolean more) {

    static final int MAX = 1000;

    /** Of a count that went up to one more than {@link #MAX}. */
    static UnreadCount of(int found) {
        return new UnreadCount(Math.min(found, MAX), found > MAX);
    }
}
