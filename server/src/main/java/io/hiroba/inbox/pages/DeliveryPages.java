package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.gitlab.Connections;
import io.hiroba.inbox.gitlab.DeliveryId;
import io.hiroba.inbox.gitlab.DeliveryState;
import io.hiroba.inbox.gitlab.WebhookDeliveries;
import io.hiroba.inbox.gitlab.WebhookDelivery;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;

/** The pages of a connection and its deliveries, for admins. */
final class DeliveryPages implements Routes {

    private static final int PAGE_SIZE = 30;
    private static final int MAX_PAGE_SIZE = 100;
    private static final String ONE = InboxNav.CONNECTIONS + "/{id}";

    private final Shell shell;
    private final Connections connections;
    private final WebhookDeliveries deliveries;
    private final Readers readers;
    private final Cursors cursors;

    DeliveryPages(
            Shell shell, Connections connections, WebhookDeliveries deliveries, Readers readers, Cursors cursors) {
        this.shell = shell;
        this.connections = connections;
        this.deliveries = deliveries;
        this.readers = readers;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(ONE, this::showConnection);
        routes.get(ONE + "/deliveries/{delivery}", this::showDelivery);
        routes.post(ONE + "/deliveries/{delivery}/retry", this::retry);
    }

    private void showConnection(Context ctx) {
        var caller = Caller.of(ctx);
        var connection = connections.get(caller, id(ctx));
        var state = value(ctx, "state");
        var event = value(ctx, "event");
        var filter =
                new WebhookDeliveries.Filter(state.map(DeliveryState::parse).orElse(null), event.orElse(null));
        var list = new KeysetList<WebhookDelivery, DeliveryId>(
                cursors,
                "pages.deliveries " + connection.id(),
                PAGE_SIZE,
                MAX_PAGE_SIZE,
                cursor -> new DeliveryId(cursor.number(0)),
                last -> Cursor.of(Long.toString(last.id().value())));
        var page = list.page(ctx, (before, limit) -> deliveries.list(caller, connection.id(), filter, before, limit));
        var reader = readers.reader(ctx);
        var next = page.next();
        var more = next == null ? null : address(connection.id(), state.orElse(""), event.orElse(""), next);
        var details = new ConnectionDetails(
                ConnectionDetails.Item.of(connection, connections.url(connection.id())),
                connections.isLocal(),
                page.items().stream()
                        .map(delivery -> ConnectionDetails.LogEntry.of(delivery, reader))
                        .toList(),
                events(deliveries.counts(caller, connection.id()), reader),
                state.orElse(""),
                event.orElse(""),
                more);
        shell.page(ctx, Text.verbatim(connection.name()), "inbox/connection", Map.of("connection", details));
    }

    private static List<InboxOption> events(List<WebhookDeliveries.EventCount> counts, Reader reader) {
        var byEvent = new TreeMap<String, Long>();
        counts.forEach(count -> byEvent.merge(count.event(), count.count(), Long::sum));
        return byEvent.entrySet().stream()
                .map(entry -> new InboxOption(
                        entry.getKey(),
                        reader.text(
                                "inbox.option-count",
                                "option",
                                entry.getKey().replace('_', ' '),
                                "count",
                                entry.getValue())))
                .toList();
    }

    private static String address(ConnectionId id, String state, String event, String after) {
        return "%s/%s?state=%s&event=%s&after=%s"
                .formatted(InboxNav.CONNECTIONS, id, state, URLEncoder.encode(event, StandardCharsets.UTF_8), after);
    }

    private void showDelivery(Context ctx) {
        var caller = Caller.of(ctx);
        var connection = connections.get(caller, id(ctx));
        var delivery = deliveries.get(caller, connection.id(), delivery(ctx));
        var reader = readers.reader(ctx);
        shell.page(
                ctx,
                Text.of("inbox.delivery"),
                "inbox/delivery",
                Map.of(
                        "connection",
                        ConnectionDetails.Item.of(connection, connections.url(connection.id())),
                        "entry",
                        ConnectionDetails.LogEntry.of(delivery, reader),
                        "payload",
                        indented(deliveries.payload(caller, connection.id(), delivery.id()))));
    }

    /** Pretty-prints JSON; anything else is returned unchanged. */
    private static String indented(byte[] payload) {
        var text = new String(payload, StandardCharsets.UTF_8);
        try {
            return Json.exact()
                    .writerWithDefaultPrettyPrinter()
                    .writeValueAsString(Json.exact().readTree(text));
        } catch (JacksonException e) {
            return text;
        }
    }

    private void retry(Context ctx) {
        deliveries.retry(Caller.of(ctx), id(ctx), delivery(ctx));
        shell.seeOther(ctx, InboxNav.CONNECTIONS + "/" + id(ctx), Text.of("inbox.retry-scheduled"));
    }

    private static Optional<String> value(Context ctx, String name) {
        return Optional.ofNullable(ctx.queryParam(name)).filter(text -> !text.isEmpty());
    }

    private static ConnectionId id(Context ctx) {
        return ConnectionId.parse(ctx.pathParam("id"));
    }

    private static DeliveryId delivery(Context ctx) {
        return DeliveryId.parse(ctx.pathParam("delivery"));
    }
}
