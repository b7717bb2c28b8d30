package io.hiroba.webhooks;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.webhooks.Webhooks.WebhookSettings;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The settings pages of outgoing webhooks: list and form, one with its log, and a delivery with request and answer. */
public final class WebhookPages implements Routes {

    static final String PATH = "/settings/webhooks";

    private static final String ONE = PATH + "/{id}";
    private static final String ANY = "*";
    private static final int MAX_SHOWN = 100;
    private static final int PAGE_SIZE = 30;

    private final Shell shell;
    private final Readers readers;
    private final Webhooks webhooks;
    private final Cursors cursors;

    WebhookPages(Shell shell, Readers readers, Webhooks webhooks, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.webhooks = webhooks;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> list(ctx, Form.EMPTY, List.of()));
        routes.post(PATH, this::create);
        routes.get(ONE, ctx -> show(ctx, null, ""));
        routes.post(ONE, this::update);
        routes.post(ONE + "/delete", this::delete);
        routes.post(ONE + "/secret", this::rotate);
        routes.post(ONE + "/ping", this::ping);
        routes.post(ONE + "/replay", this::replay);
        routes.get(ONE + "/deliveries/{delivery}", this::showDelivery);
        routes.post(ONE + "/deliveries/{delivery}/redeliver", this::redeliver);
    }

    private static long id(Context ctx) {
        return Ids.parse(ctx.pathParam("id"));
    }

    private static String path(long id) {
        return PATH + "/" + Ids.hex(id);
    }

    private void list(Context ctx, Form form, Collection<String> chosen) {
        var reader = readers.reader(ctx);
        var views = webhooks.list(Caller.of(ctx), false, Optional.empty(), MAX_SHOWN).stream()
                .map(webhook -> WebhookCard.of(webhook, reader))
                .toList();
        shell.page(
                ctx,
                Text.of("webhooks.title"),
                "webhooks/webhooks",
                Map.of("form", form, "groups", groups(chosen), "webhooks", views));
    }

    /** The choice of events: all of a feature, or single types. */
    private List<EventGroup> groups(Collection<String> chosen) {
        var byFeature = new LinkedHashMap<String, List<EventChoice>>();
        byFeature.put("any", List.of(new EventChoice(ANY, Text.of("webhooks.all-events"), chosen.contains(ANY))));
        for (var type : webhooks.types()) {
            var feature = type.substring(0, type.indexOf('.'));
            byFeature
                    .computeIfAbsent(feature, name -> {
                        var all = name + ".*";
                        return new ArrayList<>(
                                List.of(new EventChoice(all, Text.of("webhooks.all-of-kind"), chosen.contains(all))));
                    })
                    .add(new EventChoice(
                            type, Text.of("webhooks.type." + type.replace('.', '-')), chosen.contains(type)));
        }
        return byFeature.entrySet().stream()
                .map(entry -> new EventGroup(Text.of("webhooks.kind." + entry.getKey()), entry.getValue()))
                .toList();
    }

    private static WebhookSettings settings(Context ctx, Form form) {
        return new WebhookSettings(
                form.value("url").strip(),
                new EventFilter(
                        ctx.formParams("events"), listed(form.value("projects")), listed(form.value("workflows"))),
                form.value("description").strip());
    }

    private static List<String> listed(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .toList();
    }

    private static Form filled(OutgoingWebhook webhook, String since) {
        return Form.filled(Map.of(
                "url",
                webhook.url(),
                "description",
                webhook.description(),
                "projects",
                String.join(", ", webhook.events().projects()),
                "workflows",
                String.join(", ", webhook.events().workflows()),
                "since",
                since));
    }

    private void create(Context ctx) {
        var form = Form.of(ctx, "url", "description", "projects", "workflows");
        try {
            var created = webhooks.create(Caller.of(ctx), settings(ctx, form), null);
            show(ctx, created.webhook().id(), null, created.secret());
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            list(ctx, form.refused(refusal), ctx.formParams("events"));
        }
    }

    private void show(Context ctx, @Nullable Form form, String secret) {
        show(ctx, id(ctx), form, secret);
    }

    private void show(Context ctx, long id, @Nullable Form form, String secret) {
        var caller = Caller.of(ctx);
        var webhook = webhooks.get(caller, id);
        var reader = readers.reader(ctx);
        var list = new KeysetList<OutgoingDelivery, Long>(
                cursors,
                "pages.webhook-deliveries " + Ids.hex(id),
                PAGE_SIZE,
                PAGE_SIZE,
                cursor -> cursor.number(0),
                last -> Cursor.of(Long.toString(last.id())));
        var page = list.page(ctx, (before, limit) -> webhooks.deliveries(caller, id, null, before, limit));
        var next = page.next();
        boolean isOwner = webhook.owner().equals(caller.user());
        var filled = form == null ? filled(webhook, "") : form;
        shell.page(
                ctx,
                Text.of("webhooks.one"),
                "webhooks/webhook",
                Map.of(
                        "webhook",
                        WebhookCard.of(webhook, reader),
                        "form",
                        filled,
                        "groups",
                        groups(ctx.formParam("url") == null ? webhook.events().patterns() : ctx.formParams("events")),
                        "log",
                        new DeliveryLog(
                                page.items().stream()
                                        .map(delivery -> DeliveryCard.of(delivery, reader))
                                        .toList(),
                                next == null ? "" : path(id) + "?after=" + next),
                        "secret",
                        secret,
                        "isOwner",
                        isOwner));
    }

    private void update(Context ctx) {
        var form = Form.of(ctx, "url", "description", "projects", "workflows", "enabled");
        try {
            webhooks.update(
                    Caller.of(ctx),
                    id(ctx),
                    settings(ctx, form),
                    !form.value("enabled").isEmpty());
            shell.seeOther(ctx, path(id(ctx)), Text.of("webhooks.saved"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal), "");
        }
    }

    private void delete(Context ctx) {
        webhooks.delete(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, PATH, Text.of("webhooks.deleted"));
    }

    private void rotate(Context ctx) {
        show(ctx, null, webhooks.rotate(Caller.of(ctx), id(ctx), null));
    }

    private void ping(Context ctx) {
        webhooks.ping(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, path(id(ctx)), Text.of("webhooks.ping-sent"));
    }

    private void replay(Context ctx) {
        var form = Form.of(ctx, "since");
        try {
            var since = readers.reader(ctx)
                    .parse(form.value("since"))
                    .orElseThrow(() -> WebhooksProblem.invalid("since", Text.of("http.field.time")));
            webhooks.replay(Caller.of(ctx), id(ctx), webhooks.before(since));
            shell.seeOther(ctx, path(id(ctx)), Text.of("webhooks.replay-started"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            var webhook = webhooks.get(Caller.of(ctx), id(ctx));
            show(ctx, filled(webhook, form.value("since")).refused(refusal), "");
        }
    }

    private void showDelivery(Context ctx) {
        var caller = Caller.of(ctx);
        var webhook = webhooks.get(caller, id(ctx));
        var delivery = webhooks.delivery(caller, webhook.id(), delivery(ctx));
        var reader = readers.reader(ctx);
        shell.page(
                ctx,
                Text.of("webhooks.delivery"),
                "webhooks/delivery",
                Map.of(
                        "webhook",
                        WebhookCard.of(webhook, reader),
                        "delivery",
                        DeliveryCard.of(delivery, reader),
                        "request",
                        Optional.ofNullable(delivery.request())
                                .map(WebhookPages::indented)
                                .orElse(""),
                        "response",
                        Optional.ofNullable(delivery.response()).orElse("")));
    }

    private static String indented(String body) {
        return Json.mapper()
                .writerWithDefaultPrettyPrinter()
                .writeValueAsString(Json.mapper().readTree(body));
    }

    private static long delivery(Context ctx) {
        return Ids.parse(ctx.pathParam("delivery"));
    }

    private void redeliver(Context ctx) {
        webhooks.redeliver(Caller.of(ctx), id(ctx), delivery(ctx));
        shell.seeOther(ctx, path(id(ctx)), Text.of("webhooks.redelivered"));
    }

    /** The events of a feature, to choose from. */
    public record EventGroup(Text label, List<EventChoice> choices) {

        public EventGroup {
            choices = List.copyOf(choices);
        }
    }

    /** A type of events, or all of a feature. */
    public record EventChoice(String pattern, Text label, boolean isChosen) {}

    /**
     * The view of a webhook.
     *
     * @param state the class of its state
     * @param stateText its state in words
     */
    public record WebhookCard(
            String path,
            String url,
            String description,
            String events,
            boolean isEnabled,
            boolean isActive,
            String state,
            String stateText,
            String health) {

        static WebhookCard of(OutgoingWebhook webhook, Reader reader) {
            return new WebhookCard(
                    WebhookPages.path(webhook.id()),
                    webhook.url(),
                    webhook.description(),
                    String.join(", ", webhook.events().patterns()),
                    webhook.isEnabled(),
                    webhook.isActive(),
                    state(webhook),
                    reader.text("webhooks.state." + state(webhook)),
                    health(webhook, reader));
        }

        private static String state(OutgoingWebhook webhook) {
            if (!webhook.isActive()) {
                return "disabled";
            }
            if (webhook.failingSince() != null) {
                return "failed";
            }
            return webhook.lastSuccessAt() == null ? "new" : "completed";
        }

        private static String health(OutgoingWebhook webhook, Reader reader) {
            if (webhook.isPaused()) {
                return reader.text("webhooks.paused-by-admin");
            }
            var by = webhook.disabledBy();
            if (by != null) {
                return reader.text("webhooks.disabled-by." + by.code());
            }
            var failing = webhook.failingSince();
            if (failing != null) {
                return reader.text("webhooks.failing-since", "when", reader.dateTime(failing));
            }
            var success = webhook.lastSuccessAt();
            return success == null
                    ? reader.text("webhooks.never-delivered")
                    : reader.text("webhooks.last-success", "when", reader.ago(success));
        }
    }

    /**
     * The view of the log.
     *
     * @param more the address of older ones; empty if there are none
     */
    public record DeliveryLog(List<DeliveryCard> items, String more) {

        public DeliveryLog {
            items = List.copyOf(items);
        }
    }

    /**
     * The view of a delivery.
     *
     * @param state the class of its status
     */
    public record DeliveryCard(
            String path,
            String type,
            String key,
            String event,
            String state,
            String status,
            String about,
            String ago,
            String exact,
            String error) {

        static DeliveryCard of(OutgoingDelivery delivery, Reader reader) {
            var error = delivery.error();
            var http = delivery.httpStatus();
            var took = delivery.tookMillis();
            return new DeliveryCard(
                    WebhookPages.path(delivery.webhook()) + "/deliveries/" + Ids.hex(delivery.id()),
                    delivery.type(),
                    delivery.key(),
                    Ids.hex(delivery.event()),
                    switch (delivery.status()) {
                        case PENDING -> "waiting";
                        case DELIVERED -> "completed";
                        case FAILED -> "failed";
                        case SKIPPED -> "skipped";
                    },
                    reader.text(delivery.status().label()),
                    reader.text(
                            "webhooks.attempt",
                            "attempts",
                            delivery.attempts(),
                            "http",
                            http == null ? "–" : Integer.toString(http),
                            "took",
                            took == null ? 0 : took),
                    reader.ago(delivery.createdAt()),
                    reader.exact(delivery.createdAt()),
                    error == null ? "" : reader.text(error.label()));
        }
    }
}
