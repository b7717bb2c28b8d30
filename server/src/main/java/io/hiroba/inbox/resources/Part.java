package io.hiroba.inbox.resources;

import java.util.Locale;

/** What somebody has to do with a resource. */
public enum Part {
    AUTHOR,
    ASSIGNEE,
    REVIEWER,
    APPROVER;

    /** The name in the database. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
