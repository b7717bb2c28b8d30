package io.hiroba.webhooks;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.webhooks.OutgoingDelivery.Status;
import io.hiroba.webhooks.Webhooks.WebhookSettings;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The API of outgoing webhooks. Making one takes no Idempotency-Key: its answer holds a secret, which must not be stored. */
final class OutgoingWebhookRoutes implements Routes {

    private static final String PATH = "/api/v1/webhooks";

    private final Webhooks webhooks;
    private final KeysetList<OutgoingWebhook, Long> list;
    private final KeysetList<OutgoingDelivery, Long> deliveries;

    OutgoingWebhookRoutes(Webhooks webhooks, Cursors cursors) {
        this.webhooks = webhooks;
        this.list = new KeysetList<>(
                cursors, "webhooks", cursor -> cursor.number(0), webhook -> Cursor.of(Long.toString(webhook.id())));
        this.deliveries = new KeysetList<>(
                cursors,
                "webhook-deliveries",
                cursor -> cursor.number(0),
                delivery -> Cursor.of(Long.toString(delivery.id())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.post(PATH, this::create);
        routes.get(PATH + "/{id}", this::get);
        routes.put(PATH + "/{id}", this::update);
        routes.delete(PATH + "/{id}", this::delete);
        routes.post(PATH + "/{id}/pause", ctx -> pause(ctx, true));
        routes.post(PATH + "/{id}/resume", ctx -> pause(ctx, false));
        routes.post(PATH + "/{id}/secret", this::rotate);
        routes.post(PATH + "/{id}/ping", this::ping);
        routes.post(PATH + "/{id}/replay", this::replay);
        routes.get(PATH + "/{id}/deliveries", this::deliveries);
        routes.get(PATH + "/{id}/deliveries/{delivery}", this::delivery);
        routes.post(PATH + "/{id}/deliveries/{delivery}/redeliver", this::redeliver);
    }

    private static long id(Context ctx) {
        return Ids.parse(ctx.pathParam("id"));
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        boolean all = QueryParams.of(ctx).flag("all");
        ctx.json(list.page(ctx, (before, limit) -> webhooks.list(caller, all, before, limit))
                .map(WebhookView::of));
    }

    private record CreateBody(
            String url,
            List<String> events,
            @Nullable List<String> projects,
            @Nullable List<String> workflows,
            @Nullable String description,
            @Nullable String secret) {}

    private record CreatedView(String id, String secret, WebhookView webhook) {}

    private void create(Context ctx) {
        var request = Body.json(ctx, CreateBody.class);
        var created = webhooks.create(
                Caller.of(ctx),
                settings(
                        request.url(),
                        filter(request.events(), request.projects(), request.workflows()),
                        request.description()),
                request.secret());
        var id = Ids.hex(created.webhook().id());
        ctx.status(201)
                .header("Location", PATH + "/" + id)
                .json(new CreatedView(id, created.secret(), WebhookView.of(created.webhook())));
    }

    private static EventFilter filter(
            List<String> events, @Nullable List<String> projects, @Nullable List<String> workflows) {
        return new EventFilter(
                events, projects == null ? List.of() : projects, workflows == null ? List.of() : workflows);
    }

    private static WebhookSettings settings(String url, EventFilter events, @Nullable String description) {
        return new WebhookSettings(
                url.strip(), events, Optional.ofNullable(description).orElse("").strip());
    }

    private void get(Context ctx) {
        ctx.json(WebhookView.of(webhooks.get(Caller.of(ctx), id(ctx))));
    }

    private record UpdateBody(
            String url,
            List<String> events,
            @Nullable List<String> projects,
            @Nullable List<String> workflows,
            @Nullable String description,
            @Nullable Boolean enabled) {}

    private void update(Context ctx) {
        var request = Body.json(ctx, UpdateBody.class);
        var enabled = request.enabled();
        ctx.json(WebhookView.of(webhooks.update(
                Caller.of(ctx),
                id(ctx),
                settings(
                        request.url(),
                        filter(request.events(), request.projects(), request.workflows()),
                        request.description()),
                enabled == null || enabled)));
    }

    private void pause(Context ctx, boolean paused) {
        ctx.json(WebhookView.of(webhooks.pause(Caller.of(ctx), id(ctx), paused)));
    }

    private void delete(Context ctx) {
        webhooks.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private record SecretBody(@Nullable String secret) {}

    private record SecretView(String secret) {}

    private void rotate(Context ctx) {
        var body = ctx.bodyAsBytes().length == 0 ? new SecretBody(null) : Body.json(ctx, SecretBody.class);
        ctx.json(new SecretView(webhooks.rotate(Caller.of(ctx), id(ctx), body.secret())));
    }

    private void ping(Context ctx) {
        ctx.status(202).json(DeliveryView.of(webhooks.ping(Caller.of(ctx), id(ctx))));
    }

    private record ReplayBody(
            @Nullable String after, @Nullable Instant since) {}

    private void replay(Context ctx) {
        var caller = Caller.of(ctx);
        var request = Body.json(ctx, ReplayBody.class);
        if (EventFeedRoutes.BEGINNING.equals(request.after())) {
            webhooks.replayKept(caller, id(ctx));
        } else {
            webhooks.replay(caller, id(ctx), position(request));
        }
        ctx.status(202).json(WebhookView.of(webhooks.get(caller, id(ctx))));
    }

    private long position(ReplayBody request) {
        var after = request.after();
        var since = request.since();
        if (after == null && since == null) {
            throw WebhooksProblem.invalid("after", Text.of("http.field.required"));
        }
        if (after != null && !Ids.isId(after)) {
            throw WebhooksProblem.invalid("after", Text.of("webhooks.field.cursor"));
        }
        return after != null ? Ids.parse(after) : webhooks.before(since == null ? Instant.EPOCH : since);
    }

    private void deliveries(Context ctx) {
        var caller = Caller.of(ctx);
        var status = status(QueryParams.of(ctx, WebhooksProblem::invalid).text("status"));
        ctx.json(deliveries
                .page(ctx, (before, limit) -> webhooks.deliveries(caller, id(ctx), status.orElse(null), before, limit))
                .map(DeliveryView::of));
    }

    private static Optional<Status> status(@Nullable String code) {
        if (code == null) {
            return Optional.empty();
        }
        return Optional.of(Arrays.stream(Status.values())
                .filter(status -> status.code().equals(code))
                .findFirst()
                .orElseThrow(() -> WebhooksProblem.invalid(
                        "status",
                        Text.of(
                                "http.field.one-of",
                                "values",
                                String.join(
                                        ", ",
                                        Arrays.stream(Status.values())
                                                .map(Status::code)
                                                .toList())))));
    }

    private void delivery(Context ctx) {
        var delivery = webhooks.delivery(Caller.of(ctx), id(ctx), Ids.parse(ctx.pathParam("delivery")));
        ctx.json(DeliveryDetails.of(delivery));
    }

    private void redeliver(Context ctx) {
        var made = webhooks.redeliver(Caller.of(ctx), id(ctx), Ids.parse(ctx.pathParam("delivery")));
        ctx.status(202).json(DeliveryView.of(made));
    }

    private record WebhookView(
            String id,
            String owner,
            String url,
            List<String> events,
            List<String> projects,
            List<String> workflows,
            String description,
            Instant createdAt,
            boolean enabled,
            @Nullable String disabledBy,
            @Nullable Instant disabledAt,
            boolean paused,
            @Nullable Instant failingSince,
            @Nullable Instant lastSuccessAt,
            boolean replaying) {

        static WebhookView of(OutgoingWebhook webhook) {
            var by = webhook.disabledBy();
            return new WebhookView(
                    Ids.hex(webhook.id()),
                    webhook.owner().hex(),
                    webhook.url(),
                    webhook.events().patterns(),
                    webhook.events().projects(),
                    webhook.events().workflows(),
                    webhook.description(),
                    webhook.createdAt(),
                    webhook.isEnabled(),
                    by == null ? null : by.code(),
                    webhook.disabledAt(),
                    webhook.isPaused(),
                    webhook.failingSince(),
                    webhook.lastSuccessAt(),
                    webhook.replaying());
        }
    }

    private record DeliveryView(
            String id,
            String eventId,
            String type,
            String key,
            String status,
            int attempts,
            Instant createdAt,
            @Nullable Instant attemptedAt,
            @Nullable Integer httpStatus,
            @Nullable Integer tookMs,
            @Nullable String error) {

        static DeliveryView of(OutgoingDelivery delivery) {
            var error = delivery.error();
            return new DeliveryView(
                    Ids.hex(delivery.id()),
                    Ids.hex(delivery.event()),
                    delivery.type(),
                    delivery.key(),
                    delivery.status().code(),
                    delivery.attempts(),
                    delivery.createdAt(),
                    delivery.attemptedAt(),
                    delivery.httpStatus(),
                    delivery.tookMillis(),
                    error == null ? null : error.code());
        }
    }

    private record DeliveryDetails(
            DeliveryView delivery,
            @Nullable JsonNode request,
            @Nullable String response) {

        static DeliveryDetails of(OutgoingDelivery delivery) {
            var request = delivery.request();
            return new DeliveryDetails(
                    DeliveryView.of(delivery),
                    request == null ? null : Json.mapper().readTree(request),
                    delivery.response());
        }
    }
}
