package io.hiroba.inbox.events;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import java.util.List;
import java.util.Set;

/** Notifies the assignees of an approval, of a saga or of what an agent is to do, until they have decided, or it is closed. */
final class ApprovalEventHandler implements HirobaEvents.Handler {

    private static final String REQUESTED = "approval-requested";
    private static final String REMINDED = "approval-reminded";
    private static final String DECIDED = "approval-decided";
    private static final String CLOSED = "approval-closed";

    private final HirobaResources resources;

    ApprovalEventHandler(HirobaResources resources) {
        this.resources = resources;
    }

    @Override
    public Set<String> types() {
        return Set.of(REQUESTED, REMINDED, DECIDED, CLOSED);
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        for (var event : events) {
            var resource = mirror(tx, event);
            var at = HirobaResources.happenedAt(event);
            switch (event.type()) {
                case REQUESTED -> notify(tx, resource, event);
                case REMINDED -> {
                    // A new item takes the place of the one that was read, snoozed or done: it arrives, and is mailed,
                    // again.
                    resources.resolve(tx, resource, Action.APPROVAL_REQUIRED, users(event), at);
                    notify(tx, resource, event);
                }
                case DECIDED -> resources.resolve(tx, resource, Action.APPROVAL_REQUIRED, users(event), at);
                default -> resources.autoResolve(tx, resource, Set.of(Action.APPROVAL_REQUIRED), at);
            }
        }
    }

    private void notify(Tx tx, Resource resource, Event event) {
        resources.notify(
                tx,
                resource,
                Action.APPROVAL_REQUIRED,
                NotificationAuthor.NOBODY,
                users(event),
                HirobaResources.happenedAt(event));
    }

    private static List<UserId> users(Event event) {
        return event.payload()
                .path("users")
                .valueStream()
                .map(user -> UserId.parse(user.stringValue()))
                .toList();
    }

    /** A resource of its own: who may not see the saga sees its title and its form alone. */
    private Resource mirror(Tx tx, Event event) {
        var id = event.payload().path("approvalId").asString("");
        var state = event.payload().path("state").asString("");
        return resources.mirror(
                tx,
                "hiroba/approvals",
                id,
                event.payload().path("title").asString(""),
                event.payload().path("path").asString("/approvals/" + id),
                state.equals("open") ? "opened" : state,
                HirobaResources.happenedAt(event),
                new ResourceDetails.Saga(null));
    }
}
