package io.hiroba.platform.web;

import io.hiroba.platform.i18n.Text;

/**
 * A count beside an entry of the navigation.
 *
 * @param name the message of the entry's accessible name with its {@code place} and {@code count}
 * @param nameOfMore the same for more than {@link #MAX_SHOWN}
 */
public record Badge(long count, String name, String nameOfMore) {

    /** The largest number that is shown. */
    public static final int MAX_SHOWN = 99;

    public static Badge unread(long count) {
        return new Badge(count, "shell.unread", "shell.unread-more");
    }

    /** The number, capped; empty for zero. */
    public String text() {
        if (count == 0) {
            return "";
        }
        return count > MAX_SHOWN ? MAX_SHOWN + "+" : Long.toString(count);
    }

    /** The accessible name of the entry {@code place} with its count. */
    public Text label(Text place) {
        if (count == 0) {
            return place;
        }
        return Text.of(count > MAX_SHOWN ? nameOfMore : name, "place", place, "count", Math.min(count, MAX_SHOWN));
    }
}
