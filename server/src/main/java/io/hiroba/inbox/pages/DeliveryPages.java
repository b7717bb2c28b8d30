package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.gitlab.connections.Connections;
import io.hiroba.inbox.gitlab.deliveries.Deliveries;
import io.hiroba.inbox.gitlab.deliveries.DeliveryFilter;
import io.hiroba.inbox.gitlab.deliveries.DeliveryId;
import io.hiroba.inbox.gitlab.deliveries.DeliveryState;
import io.hiroba.inbox.gitlab.deliveries.EventCount;
import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
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

/** A connection and the log of its calls: for admins. */
public final class DeliveryPages implements Routes {

    private static final int PAGE = 30;
    private static final int MOST = 100;
    private static final String ONE = InboxNav.CONNECTIONS + "/{id}";

    private final Shell shell;
    private final Connections connections;
    private final Deliveries deliveries;
    private final ReaderMoments moments;
    private final Cursors cursors;

    public DeliveryPages(
            Shell shell, Connections connections, Deliveries deliveries, ReaderMoments moments, Cursors cursors) {
        this.shell = shell;
        this.connections = connections;
        this.deliveries = deliveries;
        this.moments = moments;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(ONE, this::log);
        routes.get(ONE + "/deliveries/{delivery}", this::call);
        routes.post(ONE + "/deliveries/{delivery}/retry", this::retry);
    }

    private void log(Context ctx) {
        var caller = Caller.of(ctx);
        var connection = connections.get(caller, id(ctx));
        var state = value(ctx, "state");
        var event = value(ctx, "event");
        var filter = new DeliveryFilter(state.map(DeliveryState::parse).orElse(null), event.orElse(null));
        var request = PageRequest.of(ctx, PAGE, MOST);
        var list = "pages.deliveries " + connection.id();
        var before = cursors.read(list, request).map(cursor -> new DeliveryId(cursor.number(0)));
        // One more than is shown tells whether there is another page.
        var found = deliveries.list(caller, connection.id(), filter, before, request.limit() + 1);
        var shown = found.subList(0, Math.min(found.size(), request.limit()));
        var now = moments.of(ctx);
        var more = found.size() > shown.size()
                ? address(
                        connection.id(),
                        state.orElse(""),
                        event.orElse(""),
                        cursors.write(
                                list,
                                Cursor.of(Long.toString(shown.getLast().id().value()))))
                : null;
        var sheet = new ConnectionSheet(
                ConnectionSheet.Item.of(connection, connections.url(connection.id()), now),
                shown.stream().map(delivery -> CallRows.of(delivery, now)).toList(),
                events(deliveries.counts(caller, connection.id())),
                state.orElse(""),
                event.orElse(""),
                more);
        shell.page(ctx, connection.name(), "inbox/connection", Map.of("connection", sheet));
    }

    private static List<Choice> events(List<EventCount> counts) {
        var byEvent = new TreeMap<String, Long>();
        counts.forEach(count -> byEvent.merge(count.event(), count.count(), Long::sum));
        return byEvent.entrySet().stream()
                .map(entry -> new Choice(
                        entry.getKey(), "%s (%,d)".formatted(entry.getKey().replace('_', ' '), entry.getValue())))
                .toList();
    }

    private static String address(ConnectionId id, String state, String event, String after) {
        return "%s/%s?state=%s&event=%s&after=%s"
                .formatted(InboxNav.CONNECTIONS, id, state, URLEncoder.encode(event, StandardCharsets.UTF_8), after);
    }

    private void call(Context ctx) {
        var caller = Caller.of(ctx);
        var connection = connections.get(caller, id(ctx));
        var delivery = deliveries.get(caller, connection.id(), delivery(ctx));
        var now = moments.of(ctx);
        shell.page(
                ctx,
                "Delivery",
                "inbox/delivery",
                Map.of(
                        "connection",
                        ConnectionSheet.Item.of(connection, connections.url(connection.id()), now),
                        "call",
                        CallRows.of(delivery, now),
                        "payload",
                        indented(deliveries.payload(caller, connection.id(), delivery.id()))));
    }

    /** For people to read; what is no JSON stays as it is. */
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
        shell.seeOther(ctx, InboxNav.CONNECTIONS + "/" + id(ctx), "It is handled again.");
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
