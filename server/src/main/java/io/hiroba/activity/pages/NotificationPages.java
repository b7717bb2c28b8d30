package io.hiroba.activity.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.activity.ActivityProblem;
import io.hiroba.activity.Card;
import io.hiroba.activity.CardPosition;
import io.hiroba.activity.CardTime;
import io.hiroba.activity.Notifications;
import io.hiroba.activity.Slot;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.LocalPath;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cards of the reader: unread ones first, marked and opened from there. */
public final class NotificationPages implements Routes {

    private static final int NEWEST = 50;
    private static final int PAGE = 20;
    private static final int MOST = 50;
    private static final String NO_CARD = ActivityProblem.noSuchCard().code();

    private final Shell shell;
    private final Notifications notifications;
    private final ReaderDays days;
    private final Cursors cursors;

    public NotificationPages(Shell shell, Notifications notifications, ReaderDays days, Cursors cursors) {
        this.shell = shell;
        this.notifications = notifications;
        this.days = days;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/notifications", this::show);
        routes.post("/notifications/open", this::open);
        routes.post("/notifications/mark", this::mark);
        routes.post("/notifications/mark-all", this::markAll);
    }

    private void show(Context ctx) {
        var state = ctx.queryParam("state");
        render(ctx, state == null ? newest(ctx) : later(ctx, state.equals("read")));
    }

    private void render(Context ctx, CardsView cards) {
        shell.page(ctx, "Notifications", "activity/notifications", Map.of("cards", cards));
    }

    private CardsView newest(Context ctx) {
        var feed = notifications.newest(Caller.of(ctx).user());
        var lists = List.of(newest(ctx, feed.cards(), false), newest(ctx, feed.cards(), true));
        return new CardsView(lists, feed.newest(), true);
    }

    private CardList newest(Context ctx, List<Card> feed, boolean read) {
        var cards = feed.stream().filter(card -> card.read() == read).toList();
        return list(ctx, read, cards, cards.size() == NEWEST);
    }

    private CardsView later(Context ctx, boolean read) {
        var request = PageRequest.of(ctx, PAGE, MOST);
        var after = cursors.read(name(read), request).map(CardPosition::of).orElse(CardPosition.NEWEST);
        var found = notifications.page(Caller.of(ctx).user(), read, after, request.limit() + 1);
        var shown = found.subList(0, Math.min(found.size(), request.limit()));
        return new CardsView(List.of(list(ctx, read, shown, found.size() > shown.size())), Instant.EPOCH, false);
    }

    private CardList list(Context ctx, boolean read, List<Card> cards, boolean mayHaveMore) {
        var items = new CardItems(Caller.of(ctx).user(), days.of(ctx)).of(cards);
        var more = mayHaveMore
                ? "/notifications?state=" + (read ? "read" : "unread") + "&after="
                        + cursors.write(name(read), cards.getLast().position().cursor())
                : null;
        return new CardList(read, items, more);
    }

    private static String name(boolean read) {
        return read ? "pages.cards-read" : "pages.cards-unread";
    }

    /** Goes where a card leads; on the way it is read, as far as its reader has seen it. */
    private void open(Context ctx) {
        mark(ctx, true);
        shell.seeOther(ctx, LocalPath.orElse(ctx.formParam("target"), "/notifications"));
    }

    private void mark(Context ctx) {
        boolean read = Boolean.parseBoolean(ctx.formParam("read"));
        boolean isRead = mark(ctx, read);
        if (HtmxRequest.isAskedFor(ctx)) {
            tell(ctx, Map.of());
            var view = new MarkView(field(ctx, "slot"), field(ctx, "term"), field(ctx, "seen"), isRead);
            shell.page(ctx, "Notifications", "activity/mark", Map.of("mark", view));
        } else {
            shell.seeOther(ctx, "/notifications");
        }
    }

    /** A card that is gone, since what it told of was taken back, is as good as marked. */
    private boolean mark(Context ctx, boolean read) {
        var caller = Caller.of(ctx);
        var slot = Slot.find(field(ctx, "slot"))
                .orElseThrow(() -> ActivityProblem.invalid("slot", "must be the slot of a card"));
        try {
            return notifications.mark(caller, slot, field(ctx, "term"), read, seen(ctx, "seen"));
        } catch (Problem refusal) {
            if (!refusal.code().equals(NO_CARD)) {
                throw refusal;
            }
            return read;
        }
    }

    private void markAll(Context ctx) {
        notifications.markAll(Caller.of(ctx), true, seen(ctx, "seen"));
        if (HtmxRequest.isAskedFor(ctx)) {
            tell(ctx, Map.of("toast", Map.of("message", "All are marked as read.")));
            render(ctx, newest(ctx));
        } else {
            shell.seeOther(ctx, "/notifications", "All are marked as read.");
        }
    }

    /** Lets the bell of the page, which is not part of the answer, show what is left. */
    private void tell(Context ctx, Map<String, Object> more) {
        var unread = notifications.unread(Caller.of(ctx).user());
        var events = new HashMap<>(more);
        events.put("live:count", Map.of("unread", unread.count(), "more", unread.more()));
        ctx.header("HX-Trigger", Json.text(events));
    }

    private static @Nullable Instant seen(Context ctx, String name) {
        var text = field(ctx, name);
        return text.isEmpty() ? null : CardTime.parse(name, text);
    }

    private static String field(Context ctx, String name) {
        var value = ctx.formParam(name);
        if (value != null && value.indexOf('\0') >= 0) {
            throw ActivityProblem.invalid(name, "holds a character that text cannot hold");
        }
        return value == null ? "" : value;
    }
}
