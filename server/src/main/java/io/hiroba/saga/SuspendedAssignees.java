package io.hiroba.saga;

import io.hiroba.accounts.Suspensions;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import java.util.List;

/** Tells the open approvals of those who are suspended, which may have too few assignees left. */
final class SuspendedAssignees implements EventHandler {

    static final String CONSUMER = "suspended-assignees";

    private final Approvals approvals;

    SuspendedAssignees(Approvals approvals) {
        this.approvals = approvals;
    }

    @Override
    public boolean isAffectedBy(String type) {
        return type.equals(Suspensions.SUSPENDED);
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        batch.stream()
                .filter(event -> isAffectedBy(event.type()))
                .map(event -> UserId.parse(event.payload().path("userId").asString("")))
                .distinct()
                .forEach(user -> approvals.suspended(tx, user));
    }
}
