package io.hiroba.activity;

/**
 * How many unread cards somebody has.
 *
 * @param more whether there are even more than {@code count}
 */
public record Unread(int count, boolean more) {

    /** Unread cards that are counted one by one. */
    public static final int COUNTED = 1000;

    /** Of a count that went up to one more than {@link #COUNTED}. */
    static Unread of(int found) {
        return new Unread(Math.min(found, COUNTED), found > COUNTED);
    }
}
