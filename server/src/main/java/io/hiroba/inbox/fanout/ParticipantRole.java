package io.hiroba.inbox.fanout;

import io.hiroba.inbox.Action;
import java.util.List;
import java.util.Locale;

/** The role of a participant in a resource. */
public enum ParticipantRole {
    AUTHOR,
    ASSIGNEE(Action.ASSIGNED),
    REVIEWER(Action.REVIEW_REQUESTED),
    APPROVER(Action.APPROVAL_REQUIRED, Action.ADDED_APPROVER);

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
    private final List<Action> actions;

    ParticipantRole(Action... actions) {
        this.actions = List.of(actions);
    }

    /** The actions that participants of this role are asked for, and nobody else; the usual one is the first. */
    public List<Action> actions() {
        return actions;
    }

    /** The name in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
