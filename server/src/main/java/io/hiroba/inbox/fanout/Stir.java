package io.hiroba.inbox.fanout;

import java.util.Locale;

/** What can happen to a resource that somebody may have snoozed an item until. */
public enum Stir {
    COMMENT,
    PIPELINE,
    MERGE,
    /** Anything else: only who waits for anything hears of it. */
    ANY;

    /** The name at every interface and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
