package io.hiroba.inbox.own;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.resources.Details;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** Tells operators of sagas that are stuck, until they go on. */
final class SagaNews implements EventSubject {

    private static final String STUCK = "saga-stuck";
    private static final String CHANGED = "saga-changed";

    private final Ours ours;
    private final Function<Reads, List<UserId>> operators;

    SagaNews(Ours ours, Function<Reads, List<UserId>> operators) {
        this.ours = ours;
        this.operators = operators;
    }

    @Override
    public Set<String> types() {
        return Set.of(STUCK, CHANGED);
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        // Nearly all sagas are never stuck: those are not looked at one by one.
        var known = ours.mirrored(
                tx,
                ResourceType.SAGA,
                events.stream().map(SagaNews::id).distinct().toList());
        for (var event : events) {
            if (event.type().equals(STUCK)) {
                known.add(id(event));
                var saga = mirror(tx, event);
                ours.tell(tx, saga, Action.SAGA_STUCK, Author.NOBODY, operators.apply(tx), Ours.moment(event));
            } else if (known.contains(id(event))) {
                ours.moot(tx, mirror(tx, event), Set.of(Action.SAGA_STUCK), Ours.moment(event));
            }
        }
    }

    private Resource mirror(Tx tx, Event event) {
        var payload = event.payload();
        var correlation = payload.path("correlationId").asString("");
        var title = payload.path("workflowName").asString("") + (correlation.isBlank() ? "" : " " + correlation);
        var state = event.type().equals(STUCK)
                ? "stuck"
                : payload.path("status").asString("").toLowerCase(Locale.ROOT);
        return ours.mirror(
                tx,
                "hiroba/sagas",
                id(event),
                title,
                "/sagas/" + id(event),
                state,
                Ours.moment(event),
                new Details.Saga(UUID.fromString(id(event))));
    }

    private static String id(Event event) {
        return event.payload().path("sagaId").asString("");
    }
}
