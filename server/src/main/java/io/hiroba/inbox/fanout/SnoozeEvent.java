package io.hiroba.inbox.fanout;

import java.util.Locale;

/** An event of a resource that ends a snooze. */
public enum SnoozeEvent {
    COMMENT,
    PIPELINE,
    MERGE,
    /** Any other event. It wakes only items that are snoozed until any event. */
    ANY;

    /** The name at every interface and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
