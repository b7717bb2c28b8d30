package io.hiroba.inbox.fanout;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** An event of a resource that ends a snooze. */
public enum SnoozeEvent {
    COMMENT,
    PIPELINE,
    /** It was merged, or was closed and will not be. */
    MERGE,
    /** Any other event. It wakes only items that are snoozed until any event. */
    ANY;

    /** The name at every interface and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The events that a resource can still have. */
    public static Set<SnoozeEvent> possible(boolean hasPipelines, boolean isMergeable) {
        var events = EnumSet.allOf(SnoozeEvent.class);
        if (!hasPipelines) {
            events.remove(PIPELINE);
        }
        if (!isMergeable) {
            events.remove(MERGE);
        }
        return events;
    }
}
