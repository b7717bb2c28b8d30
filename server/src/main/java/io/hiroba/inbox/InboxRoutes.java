package io.hiroba.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.ItemPage.ItemPosition;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The API of the caller's inbox. */
final class InboxRoutes implements Routes {

    private static final String PATH = "/api/v1/inbox";
    private static final String ONE = PATH + "/{id}";
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;
    private static final String SNOOZE = "snooze";

    private final Inbox inbox;
    private final Cursors cursors;
    private final Map<String, Change> changes = new LinkedHashMap<>();

    InboxRoutes(Inbox inbox, Cursors cursors) {
        this.inbox = inbox;
        this.cursors = cursors;
        changes.put("done", (caller, ids) -> inbox.done(caller, ids, Resolution.API_DONE));
        changes.put("restore", inbox::restore);
        changes.put("save", inbox::save);
        changes.put("unsave", inbox::unsave);
        changes.put("read", inbox::read);
        changes.put("unread", inbox::unread);
        changes.put("unsnooze", inbox::unsnooze);
    }

    private interface Change {
        List<InboxItem> make(Caller caller, List<ItemId> ids);
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.get(PATH + "/counts", this::counts);
        routes.post(PATH + "/bulk", this::bulk);
        routes.post(PATH + "/done-all", this::doneAll);
        changes.forEach((name, change) -> routes.post(ONE + "/" + name, ctx -> one(ctx, change)));
        routes.post(ONE + "/" + SNOOZE, this::snooze);
    }

    private record CountsView(
            long todo,
            long snoozed,
            long saved,
            long done,
            long unread,
            Map<String, Long> actions,
            Map<String, Long> types) {}

    private record BulkRequest(
            List<String> ids,
            String action,
            @Nullable String until,
            @Nullable String preset,
            @Nullable String untilEvent) {}

    private record BulkView(List<ItemView> items) {}

    private record DoneAllView(long done) {}

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var filter = InboxFilterRequest.of(ctx).filter();
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var list = "inbox/%s/%s".formatted(filter.view().text(), filter.sort().text());
        var after = cursors.read(list, request).map(InboxRoutes::position);
        var page = inbox.list(caller, filter, after, request.limit());
        ctx.json(new Page<>(
                page.items().stream().map(ItemView::of).toList(),
                page.next().map(next -> cursors.write(list, cursor(next))).orElse(null)));
    }

    private static Cursor cursor(ItemPosition position) {
        return Cursor.of(position.recommendedAt().toString(), position.id().hex());
    }

    private static ItemPosition position(Cursor cursor) {
        return new ItemPosition(Instant.parse(cursor.text(0)), ItemId.parse(cursor.text(1)));
    }

    private void counts(Context ctx) {
        var caller = Caller.of(ctx);
        var filterCounts = inbox.filterCounts(caller);
        var counts = filterCounts.lists();
        ctx.json(new CountsView(
                counts.todo(),
                counts.snoozed(),
                counts.saved(),
                counts.done(),
                counts.unread(),
                named(filterCounts.actions(), action -> action.text()),
                named(filterCounts.types(), type -> type.text())));
    }

    private static <K> Map<String, Long> named(Map<K, Long> counts, Function<K, String> name) {
        var named = new LinkedHashMap<String, Long>();
        counts.forEach((key, count) -> named.put(name.apply(key), count));
        return named;
    }

    private static void one(Context ctx, Change change) {
        var changed = change.make(Caller.of(ctx), List.of(ItemId.parse(ctx.pathParam("id"))));
        ctx.json(ItemView.of(changed.getFirst()));
    }

    private void snooze(Context ctx) {
        var caller = Caller.of(ctx);
        var snooze = Body.json(ctx, SnoozeRequest.class).snooze();
        one(ctx, (_, ids) -> inbox.snooze(caller, ids, snooze));
    }

    private void bulk(Context ctx) {
        var caller = Caller.of(ctx);
        var request = Body.json(ctx, BulkRequest.class);
        if (request.ids().isEmpty() || request.ids().size() > Inbox.MAX_ITEMS_PER_CALL) {
            throw InboxProblem.invalid("ids", Text.of("inbox.field.count-between", "max", Inbox.MAX_ITEMS_PER_CALL));
        }
        var changed = change(request)
                .make(
                        caller,
                        request.ids().stream().map(ItemId::parse).distinct().toList());
        ctx.json(new BulkView(changed.stream().map(ItemView::of).toList()));
    }

    private Change change(BulkRequest request) {
        if (request.action().equals(SNOOZE)) {
            var snooze = new SnoozeRequest(request.until(), request.preset(), request.untilEvent()).snooze();
            return (caller, ids) -> inbox.snooze(caller, ids, snooze);
        }
        var change = changes.get(request.action());
        if (change == null) {
            throw InboxProblem.notOneOf("action", Stream.concat(changes.keySet().stream(), Stream.of(SNOOZE)));
        }
        requireAbsent("until", request.until());
        requireAbsent("preset", request.preset());
        requireAbsent("untilEvent", request.untilEvent());
        return change;
    }

    private static void requireAbsent(String field, @Nullable String end) {
        if (end != null) {
            throw InboxProblem.invalid(field, Text.of("inbox.field.snooze-only"));
        }
    }

    /** The filter is in the query string or in the body, not in both: one of them would be ignored. */
    private void doneAll(Context ctx) {
        var caller = Caller.of(ctx);
        boolean isBodyEmpty = ctx.bodyAsBytes().length == 0;
        if (!isBodyEmpty && ctx.queryString() != null) {
            throw InboxProblem.invalid("body", Text.of("inbox.field.empty-body"));
        }
        var request = isBodyEmpty ? InboxFilterRequest.of(ctx) : Body.json(ctx, InboxFilterRequest.class);
        ctx.json(new DoneAllView(inbox.doneAll(caller, request.filter(), Resolution.API_ALL_DONE)));
    }
}
