package io.hiroba.activity;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
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

/** The pages of a reader's cards: unread ones first, opened and marked from there. */
final class NotificationPages implements Routes {

    static final String PATH = "/notifications";

    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 50;
    private static final String NO_SUCH_CARD = ActivityProblem.noSuchCard().code();
    private static final Text ALL_READ = Text.of("activity.all-read");

    private final Shell shell;
    private final Notifications notifications;
    private final Readers readers;
    private final Cursors cursors;

    NotificationPages(Shell shell, Notifications notifications, Readers readers, Cursors cursors) {
        this.shell = shell;
        this.notifications = notifications;
        this.readers = readers;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::show);
        routes.post(PATH + "/open", this::open);
        routes.post(PATH + "/mark", this::mark);
        routes.post(PATH + "/mark-all", this::markAll);
    }

    private void show(Context ctx) {
        var state = ctx.queryParam("state");
        render(ctx, state == null ? firstPage(ctx) : laterPage(ctx, state.equals("read")));
    }

    private void render(Context ctx, CardsView cards) {
        shell.page(ctx, Text.of("activity.title"), "activity/notifications", Map.of("cards", cards));
    }

    private CardsView firstPage(Context ctx) {
        var feed = notifications.newest(Caller.of(ctx).user());
        var sections = List.of(firstSection(ctx, feed, false), firstSection(ctx, feed, true));
        return new CardsView(sections, feed.newest(), true);
    }

    private CardsView.Section firstSection(Context ctx, CardFeed feed, boolean read) {
        var cards = feed.cards().stream().filter(card -> card.read() == read).toList();
        var next = cards.size() == CardListStore.NEWEST_LIMIT
                ? cursors.write(name(read), cards.getLast().position().cursor())
                : null;
        return section(ctx, read, cards, next);
    }

    private CardsView laterPage(Context ctx, boolean read) {
        var reader = Caller.of(ctx).user();
        var page = new KeysetList<Card, CardPosition>(
                        cursors,
                        name(read),
                        CardPosition::of,
                        last -> last.position().cursor())
                .page(
                        PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT),
                        (after, limit) -> notifications.page(reader, read, after.orElse(CardPosition.NEWEST), limit));
        return new CardsView(List.of(section(ctx, read, page.items(), page.next())), Instant.EPOCH, false);
    }

    private CardsView.Section section(Context ctx, boolean read, List<Card> cards, @Nullable String next) {
        var user = Caller.of(ctx).user();
        var reader = readers.reader(ctx);
        var items = cards.stream()
                .map(card -> CardsView.Item.of(card, user, reader))
                .toList();
        var more = next == null ? null : PATH + "?state=" + (read ? "read" : "unread") + "&after=" + next;
        return new CardsView.Section(read, items, more);
    }

    private static String name(boolean read) {
        return read ? "pages.cards-read" : "pages.cards-unread";
    }

    /** Marks the card as read, as far as its reader has seen it, and leads to its target. */
    private void open(Context ctx) {
        mark(ctx, true);
        shell.seeOther(ctx, LocalPath.orElse(ctx.formParam("target"), PATH));
    }

    private void mark(Context ctx) {
        boolean read = Boolean.parseBoolean(ctx.formParam("read"));
        boolean isRead = mark(ctx, read);
        if (HtmxRequest.isFragment(ctx)) {
            triggerEvents(ctx, Map.of());
            var mark = new CardsView.ReadMark(field(ctx, "slot"), field(ctx, "term"), field(ctx, "seen"), isRead);
            shell.fragment(ctx, "activity/mark", Map.of("mark", mark));
        } else {
            shell.seeOther(ctx, PATH);
        }
    }

    /** A card that was deleted, since its acts were withdrawn, counts as marked. */
    private boolean mark(Context ctx, boolean read) {
        var caller = Caller.of(ctx);
        var slot = Slot.parse(field(ctx, "slot"));
        try {
            return notifications.mark(caller, slot, field(ctx, "term"), read, seen(ctx));
        } catch (Problem refusal) {
            if (!refusal.code().equals(NO_SUCH_CARD)) {
                throw refusal;
            }
            return read;
        }
    }

    private void markAll(Context ctx) {
        notifications.markAll(Caller.of(ctx), true, seen(ctx));
        if (HtmxRequest.isFragment(ctx)) {
            triggerEvents(ctx, Map.of("toast", Map.of("message", shell.text(ctx, ALL_READ))));
            render(ctx, firstPage(ctx));
        } else {
            shell.seeOther(ctx, PATH, ALL_READ);
        }
    }

    /** Updates the badge of the page, which is not part of the answer. */
    private void triggerEvents(Context ctx, Map<String, Object> more) {
        var events = new HashMap<>(more);
        events.put("live:count", notifications.unread(Caller.of(ctx).user()));
        ctx.header("HX-Trigger", Json.text(events));
    }

    private static @Nullable Instant seen(Context ctx) {
        var text = field(ctx, "seen");
        return text.isEmpty() ? null : CardTime.parse("seen", text);
    }

    private static String field(Context ctx, String name) {
        var value = ctx.formParam(name);
        if (value != null && value.indexOf('\0') >= 0) {
            throw ActivityProblem.invalid(name, Text.of("activity.field.bad-text"));
        }
        return value == null ? "" : value;
    }
}
