package io.hiroba.platform.web;

/**
 * How many things wait for the reader behind a place of the navigation.
 *
 * @param what what they are, after their number: unread
 */
public record Badge(long count, String what) {

    /** The largest number that is shown. */
    public static final int MOST = 99;

    public static Badge unread(long count) {
        return new Badge(count, "unread");
    }

    /** As there is room for it; empty where nothing waits. */
    public String text() {
        if (count == 0) {
            return "";
        }
        return count > MOST ? MOST + "+" : Long.toString(count);
    }

    /** The place and its number for those who do not see them. */
    public String label(String place) {
        if (count == 0) {
            return place;
        }
        return place + ", " + (count > MOST ? "more than " + MOST : count) + " " + what;
    }
}
