package io.hiroba.inbox.fanout;

import java.util.Locale;

/** The role of a participant in a resource. */
public enum ParticipantRole {
    AUTHOR,
    ASSIGNEE,
    REVIEWER,
    APPROVER;

    /** The name in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
