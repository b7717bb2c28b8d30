package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.Action;
import java.util.Set;

/** The actions whose items an event resolves. Mentions are never resolved. */
enum AutoResolveRule {
    ISSUE_CLOSED(Action.ASSIGNED, Action.OKR_CHECKIN_REQUESTED),
    MERGE_REQUEST_ENDED(
            Action.ASSIGNED,
            Action.REVIEW_REQUESTED,
            Action.APPROVAL_REQUIRED,
            Action.ADDED_APPROVER,
            Action.UNMERGEABLE,
            Action.BUILD_FAILED,
            Action.MERGE_TRAIN_REMOVED),
    APPROVED(Action.APPROVAL_REQUIRED, Action.ADDED_APPROVER),
    MERGEABLE_AGAIN(Action.UNMERGEABLE);

    @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable
    private final Set<Action> actions;

    AutoResolveRule(Action... actions) {
        this.actions = Set.of(actions);
    }

    Set<Action> actions() {
        return actions;
    }
}
