package io.hiroba.activity;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of a reader's cards. */
final class NotificationRoutes implements Routes {

    private final Notifications notifications;
    private final KeysetList<Card, CardPosition> unreadCards;
    private final KeysetList<Card, CardPosition> readCards;

    NotificationRoutes(Notifications notifications, Cursors cursors) {
        this.notifications = notifications;
        this.unreadCards = list(cursors, "cards-unread");
        this.readCards = list(cursors, "cards-read");
    }

    private static KeysetList<Card, CardPosition> list(Cursors cursors, String name) {
        return new KeysetList<>(
                cursors, name, CardPosition::of, card -> card.position().cursor());
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

    private record MarkBody(
            String slot,
            String term,
            boolean isRead,
            @Nullable String updatedAt) {}

    private record MarkView(boolean isRead) {}

    private record MarkAllBody(boolean isRead, @Nullable String upTo) {}

    private record MarkAllView(int marked) {}

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
        var page = (read ? readCards : unreadCards)
                .page(
                        ctx,
                        (after, limit) -> notifications.page(reader, read, after.orElse(CardPosition.NEWEST), limit));
        ctx.json(page.map(CardView::of));
    }

    private void count(Context ctx) {
        ctx.json(notifications.unread(Caller.of(ctx).user()));
    }

    private void mark(Context ctx) {
        var caller = Caller.of(ctx);
        var body = Body.json(ctx, MarkBody.class);
        var seen = time("updatedAt", body.updatedAt());
        ctx.json(new MarkView(notifications.mark(caller, Slot.parse(body.slot()), body.term(), body.isRead(), seen)));
    }

    private void markAll(Context ctx) {
        var caller = Caller.of(ctx);
        var body = Body.json(ctx, MarkAllBody.class);
        ctx.json(new MarkAllView(notifications.markAll(caller, body.isRead(), time("upTo", body.upTo()))));
    }

    private static @Nullable Instant time(String field, @Nullable String text) {
        return text == null ? null : CardTime.parse(field, text);
    }

    private static boolean isRead(@Nullable String state) {
        return switch (state) {
            case "unread" -> false;
            case "read" -> true;
            case null, default -> throw ActivityProblem.invalid("state", Text.of("activity.field.state"));
        };
    }
}
