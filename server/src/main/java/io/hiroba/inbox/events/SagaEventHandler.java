package io.hiroba.inbox.events;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxPorts.Operators;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/** Notifies operators of sagas that are stuck, until they continue. */
final class SagaEventHandler implements HirobaEvents.Handler {

    private static final String STUCK = "saga-stuck";
    private static final String RESUMED = "saga-resumed";
    private static final String CHANGED = "saga-changed";

    private final HirobaResources resources;
    private final Operators operators;

    SagaEventHandler(HirobaResources resources, Operators operators) {
        this.resources = resources;
        this.operators = operators;
    }

    @Override
    public Set<String> types() {
        return Set.of(STUCK, RESUMED, CHANGED);
    }

    /** Every saga changes several times, and hardly one of them was ever stuck: for those its state may come later. */
    @Override
    public Set<String> urgentTypes() {
        return Set.of(STUCK, RESUMED);
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        // Nearly all sagas are never stuck: those are not looked up one by one.
        var known = resources.mirrored(
                tx,
                ResourceType.SAGA,
                events.stream().map(SagaEventHandler::id).distinct().toList());
        for (var event : events) {
            if (event.type().equals(STUCK)) {
                known.add(id(event));
                var saga = mirror(tx, event);
                resources.notify(
                        tx,
                        saga,
                        Action.SAGA_STUCK,
                        NotificationAuthor.NOBODY,
                        operators.list(tx),
                        HirobaResources.happenedAt(event));
            } else if (known.contains(id(event))) {
                resources.autoResolve(
                        tx, mirror(tx, event), Set.of(Action.SAGA_STUCK), HirobaResources.happenedAt(event));
            }
        }
    }

    private Resource mirror(Tx tx, Event event) {
        var payload = event.payload();
        var correlation = payload.path("correlationId").asString("");
        var reason = payload.path("reason").asString("");
        var title = payload.path("workflowName").asString("")
                + (correlation.isBlank() ? "" : " " + correlation)
                + (reason.isBlank() ? "" : ": " + reason);
        var state = event.type().equals(STUCK)
                ? "stuck"
                : payload.path("status").asString("").toLowerCase(Locale.ROOT);
        return resources.mirror(
                tx,
                "hiroba/sagas",
                id(event),
                title,
                "/sagas/" + id(event),
                state,
                HirobaResources.happenedAt(event),
                new ResourceDetails.Saga(UUID.fromString(id(event))));
    }

    private static String id(Event event) {
        return event.payload().path("sagaId").asString("");
    }
}
