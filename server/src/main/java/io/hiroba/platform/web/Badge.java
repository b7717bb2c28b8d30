package io.hiroba.platform.web;

import io.hiroba.platform.i18n.Text;

/**
 * A count beside an entry of the navigation.
 *
 * @param name the message of the entry's accessible name with its {@code place} and {@code count}, which begins with what is shown
 */
public record Badge(long count, String name) {

    /** The largest number that is shown. */
    public static final int MAX_SHOWN = 99;

    public static Badge unread(long count) {
        return new Badge(count, "shell.unread");
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
        return count == 0 ? place : Text.of(name, "place", place, "count", text());
    }
}
