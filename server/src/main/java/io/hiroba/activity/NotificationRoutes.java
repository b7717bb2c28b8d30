package io.hiroba.activity;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A reader's cards over HTTP. */
public final class NotificationRoutes implements Routes {

    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private final Notifications notifications;
    private final Cursors cursors;

    public NotificationRoutes(Notifications notifications, Cursors cursors) {
        this.notifications = notifications;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/notifications", this::newest);
        routes.get("/api/v1/notifications/page", this::page);
        routes.get("/api/v1/notifications/count", this::count);
        routes.post("/api/v1/notifications/mark", this::mark);
        routes.post("/api/v1/notifications/mark-all", this::markAll);
    }

    private record FeedView(List<CardView> items, String newest) {

        static FeedView of(CardFeed feed) {
            return new FeedView(feed.cards().stream().map(CardView::of).toList(), CardTime.text(feed.newest()));
        }
    }

    private record CountView(int unread, boolean more) {}

    private record MarkView(boolean isRead) {}

    private record MarkAllView(int marked) {}

    private record Marking(
            String slot,
            String term,
            boolean isRead,
            @Nullable String updatedAt) {}

    private record MarkingAll(boolean isRead, @Nullable String upTo) {}

    private void newest(Context ctx) {
        var reader = Caller.of(ctx).user();
        var newerThan = ctx.queryParam("newerThan");
        var feed = newerThan == null
                ? Optional.of(notifications.newest(reader))
                : notifications.newest(reader, CardTime.parse("newerThan", newerThan));
        feed.ifPresentOrElse(found -> ctx.json(FeedView.of(found)), () -> ctx.status(304));
    }

    private void page(Context ctx) {
        var reader = Caller.of(ctx).user();
        boolean read = isRead(ctx.queryParam("state"));
        // A place among the unread cards is none among the read ones.
        var list = read ? "cards-read" : "cards-unread";
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var after = cursors.read(list, request).map(CardPosition::of).orElse(CardPosition.NEWEST);
        var found = notifications.page(reader, read, after, request.limit() + 1);
        ctx.json(Page.of(
                        found,
                        request.limit(),
                        last -> cursors.write(list, last.position().cursor()))
                .map(CardView::of));
    }

    private void count(Context ctx) {
        var unread = notifications.unread(Caller.of(ctx).user());
        ctx.json(new CountView(unread.count(), unread.more()));
    }

    private void mark(Context ctx) {
        var caller = Caller.of(ctx);
        var marking = Body.json(ctx, Marking.class);
        var slot = Slot.find(marking.slot())
                .orElseThrow(() -> ActivityProblem.invalid("slot", "must be the slot of a card"));
        ctx.json(new MarkView(notifications.mark(
                caller, slot, marking.term(), marking.isRead(), time("updatedAt", marking.updatedAt()))));
    }

    private void markAll(Context ctx) {
        var caller = Caller.of(ctx);
        var marking = Body.json(ctx, MarkingAll.class);
        ctx.json(new MarkAllView(notifications.markAll(caller, marking.isRead(), time("upTo", marking.upTo()))));
    }

    private static @Nullable Instant time(String field, @Nullable String text) {
        return text == null ? null : CardTime.parse(field, text);
    }

    private static boolean isRead(@Nullable String state) {
        return switch (state) {
            case "unread" -> false;
            case "read" -> true;
            case null, default -> throw ActivityProblem.invalid("state", "must be unread or read");
        };
    }
}
