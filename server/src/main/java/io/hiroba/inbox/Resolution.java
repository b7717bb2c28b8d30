package io.hiroba.inbox;

import java.util.Locale;
import java.util.stream.Stream;

/** The cause of an item being done, with GitLab's numbers. */
public enum Resolution {
    SYSTEM_DONE(0),
    API_ALL_DONE(1),
    API_DONE(2),
    MARK_ALL_DONE(3),
    MARK_DONE(4);

    private final int code;

    Resolution(int code) {
        this.code = code;
    }

    /** The number in the database. */
    public int code() {
        return code;
    }

    public static Resolution of(int code) {
        return Stream.of(values()).filter(one -> one.code == code).findFirst().orElseThrow();
    }

    /** The name at every interface, for example {@code system_done}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
