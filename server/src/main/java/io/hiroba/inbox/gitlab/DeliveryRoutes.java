package io.hiroba.inbox.gitlab;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The API of the delivery log, for admins. */
final class DeliveryRoutes implements Routes {

    private static final String PATH = "/api/v1/inbox/connections/{id}";

    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 100;

    private final Connections connections;
    private final WebhookDeliveries deliveries;
    private final Cursors cursors;

    DeliveryRoutes(Connections connections, WebhookDeliveries deliveries, Cursors cursors) {
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

        static View of(WebhookDelivery delivery, Language language) {
            var outcome = delivery.outcome();
            return new View(
                    delivery.id().hex(),
                    delivery.event(),
                    delivery.key(),
                    delivery.state().text(),
                    delivery.attempts(),
                    outcome == null ? null : outcome.in(language),
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
        var params = QueryParams.of(ctx);
        var state = params.text("state");
        var filter =
                new WebhookDeliveries.Filter(state == null ? null : DeliveryState.parse(state), params.text("event"));
        var list = new KeysetList<WebhookDelivery, DeliveryId>(
                cursors,
                "deliveries " + connection.hex(),
                DEFAULT_LIMIT,
                MAX_LIMIT,
                cursor -> new DeliveryId(cursor.number(0)),
                last -> Cursor.of(Long.toString(last.id().value())));
        var language = RequestLanguage.of(ctx);
        ctx.json(list.page(ctx, (before, limit) -> deliveries.list(caller, connection, filter, before, limit))
                .map(delivery -> View.of(delivery, language)));
    }

    private void get(Context ctx) {
        var caller = Caller.of(ctx);
        var delivery = deliveries.get(caller, connection(ctx), delivery(ctx));
        var payload = deliveries.payload(caller, delivery.connection(), delivery.id());
        ctx.json(new Whole(view(ctx, delivery), WebhookPayload.read(payload)));
    }

    private void retry(Context ctx) {
        ctx.status(202).json(view(ctx, deliveries.retry(Caller.of(ctx), connection(ctx), delivery(ctx))));
    }

    private static View view(Context ctx, WebhookDelivery delivery) {
        return View.of(delivery, RequestLanguage.of(ctx));
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
