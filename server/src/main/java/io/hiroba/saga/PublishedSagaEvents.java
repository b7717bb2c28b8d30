package io.hiroba.saga;

import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.PublishedEvent;
import io.hiroba.platform.events.PublishedEvents;
import io.hiroba.platform.http.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Changes of sagas as programs outside see them: for auditors, operators and admins. */
final class PublishedSagaEvents implements PublishedEvents {

    private static final String CHANGED = "saga-changed";
    private static final String STUCK = "saga-stuck";
    private static final String RESUMED = "saga-resumed";

    private final SagaRoles roles;

    PublishedSagaEvents(SagaRoles roles) {
        this.roles = roles;
    }

    @Override
    public String scope() {
        return TokenScope.SAGAS_READ.code();
    }

    @Override
    public List<String> types() {
        return List.of(
                "saga.started",
                "saga.completed",
                "saga.compensating",
                "saga.failed",
                "saga.cancelled",
                "saga.stuck",
                "saga.resumed");
    }

    @Override
    public Set<String> sources() {
        return Set.of(CHANGED, STUCK, RESUMED);
    }

    @Override
    public Optional<PublishedEvent> publish(Event event) {
        var from = event.payload();
        var status = from.path("status").asString("");
        var type = switch (event.type()) {
            case STUCK -> "saga.stuck";
            case RESUMED -> "saga.resumed";
            default -> "saga." + status.toLowerCase(Locale.ROOT);
        };
        if (!types().contains(type)) {
            return Optional.empty();
        }
        var saga = from.path("sagaId").asString();
        var data = Json.mapper().createObjectNode();
        data.put("sagaId", saga);
        data.put(PublishedEvent.WORKFLOW, from.path("workflowName").asString());
        data.put("status", status);
        if (from.hasNonNull("correlationId")) {
            data.put("correlationId", from.path("correlationId").asString());
        }
        data.put("path", "/api/v1/sagas/" + saga);
        return Optional.of(new PublishedEvent(event.id(), type, saga, data));
    }

    @Override
    public Map<Subscriber, List<PublishedEvent>> readable(Reads reads, Map<Subscriber, List<PublishedEvent>> events) {
        var auditors = roles.auditors(
                reads,
                events.keySet().stream()
                        .map(subscriber -> new UserId(subscriber.user()))
                        .toList());
        return PublishedEvents.filtered(
                events, (subscriber, event) -> subscriber.admin() || auditors.contains(new UserId(subscriber.user())));
    }
}
