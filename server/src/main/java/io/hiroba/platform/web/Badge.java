package io.hiroba.platform.web;

/**
 * A count beside an entry of the navigation.
 *
 * @param what what is counted, such as {@code unread}
 */
public record Badge(long count, String what) {

    /** The largest number that is shown. */
    public static final int MAX_SHOWN = 99;

    public static Badge unread(long count) {
        return new Badge(count, "unread");
    }

    /** The number, capped; empty for zero. */
    public String text() {
        if (count == 0) {
            return "";
        }
        return count > MAX_SHOWN ? MAX_SHOWN + "+" : Long.toString(count);
    }

    /** The accessible name of the entry {@code place} with its count. */
    public String label(String place) {
        if (count == 0) {
            return place;
        }
        return place + ", " + (count > MAX_SHOWN ? "more than " + MAX_SHOWN : count) + " " + what;
    }
}
