package io.hiroba.inbox.gitlab.deliveries;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.gitlab.connections.Connections;
import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The log of deliveries over HTTP, for admins. */
public final class DeliveryRoutes implements Routes {

    private static final String PATH = "/api/v1/inbox/connections/{id}";

    private final Connections connections;
    private final Deliveries deliveries;
    private final Cursors cursors;

    public DeliveryRoutes(Connections connections, Deliveries deliveries, Cursors cursors) {
        this.connections = connections;
        this.deliveries = deliveries;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH + "/counts", this::counts);
        routes.get(PATH + "/deliveries", this::list);
        routes.get(PATH + "/deliveries/{delivery}", this::get);
        routes.post(PATH + "/deliveries/{delivery}/retry", this::retry);
    }

    private record View(
            String id,
            String event,
            String key,
            String state,
            int attempts,
            @Nullable String outcome,
            Instant receivedAt,
            @Nullable Instant nextAt,
            @Nullable Instant handledAt) {

        static View of(Delivery delivery) {
            return new View(
                    delivery.id().hex(),
                    delivery.event(),
                    delivery.key(),
                    delivery.state().text(),
                    delivery.attempts(),
                    delivery.outcome(),
                    delivery.receivedAt(),
                    delivery.state() == DeliveryState.WAITING ? delivery.nextAt() : null,
                    delivery.handledAt());
        }
    }

    private record Whole(View delivery, JsonNode payload) {}

    private record Counts(List<Map<String, Object>> items) {}

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var connection = connections.get(caller, connection(ctx)).id();
        var request = PageRequest.of(ctx, 50, 100);
        var state = ctx.queryParam("state");
        var event = ctx.queryParam("event");
        var filter = new DeliveryFilter(
                state == null || state.isEmpty() ? null : DeliveryState.parse(state),
                event == null || event.isEmpty() ? null : event);
        var list = "deliveries " + connection.hex();
        var before = cursors.read(list, request).map(cursor -> new DeliveryId(cursor.number(0)));
        var found = deliveries.list(caller, connection, filter, before, request.limit() + 1);
        ctx.json(Page.of(
                        found,
                        request.limit(),
                        last -> cursors.write(
                                list, Cursor.of(Long.toString(last.id().value()))))
                .map(View::of));
    }

    private void get(Context ctx) {
        var caller = Caller.of(ctx);
        var delivery = deliveries.get(caller, connection(ctx), delivery(ctx));
        var payload = deliveries.payload(caller, delivery.connection(), delivery.id());
        ctx.json(new Whole(View.of(delivery), EventKind.read(payload)));
    }

    private void retry(Context ctx) {
        ctx.status(202).json(View.of(deliveries.retry(Caller.of(ctx), connection(ctx), delivery(ctx))));
    }

    private void counts(Context ctx) {
        var caller = Caller.of(ctx);
        var connection = connections.get(caller, connection(ctx)).id();
        ctx.json(new Counts(deliveries.counts(caller, connection).stream()
                .map(count -> Map.<String, Object>of(
                        "event", count.event(), "state", count.state().text(), "count", count.count()))
                .toList()));
    }

    private static ConnectionId connection(Context ctx) {
        return ConnectionId.parse(ctx.pathParam("id"));
    }

    private static DeliveryId delivery(Context ctx) {
        return DeliveryId.parse(ctx.pathParam("delivery"));
    }
}
