package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.items.Counts;
import io.hiroba.inbox.items.Inbox;
import io.hiroba.inbox.items.Item;
import io.hiroba.inbox.items.Position;
import io.hiroba.inbox.items.View;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The lists of the inbox. */
public final class InboxPages implements Routes {

    private static final int PAGE = 30;
    private static final int MOST = 100;
    private static final String LIST = "pages.inbox.";

    private final Shell shell;
    private final Inbox inbox;
    private final ReaderMoments moments;
    private final FilterChoices choices;
    private final Beginnings beginnings;
    private final Cursors cursors;

    public InboxPages(
            Shell shell,
            Inbox inbox,
            ReaderMoments moments,
            FilterChoices choices,
            Beginnings beginnings,
            Cursors cursors) {
        this.shell = shell;
        this.inbox = inbox;
        this.moments = moments;
        this.choices = choices;
        this.beginnings = beginnings;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(InboxNav.INBOX, this::show);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var query = InboxQuery.of(ctx);
        var request = PageRequest.of(ctx, PAGE, MOST);
        var list = LIST + query.view().text() + "." + query.sort().text();
        var after = cursors.read(list, request).map(InboxPages::position);
        var page = inbox.list(caller, query.filter(), after, request.limit());
        var more = page.next()
                .map(next -> query.after(cursors.write(list, cursor(next))))
                .orElse(null);
        var now = moments.of(ctx);
        var sheet = new InboxSheet(
                query,
                tabs(query, inbox.counts(caller)),
                new FilterSheet(
                        query,
                        inbox.menus(caller),
                        choices.namespaces(caller.user(), query.view(), query.namespace()),
                        choices.authors(caller.user(), query.view(), query.author())),
                new ItemRows(caller.user(), now, query).of(page.items()),
                more,
                after.isEmpty(),
                newest(page.items(), now),
                beginnings.of(caller, query),
                SnoozeSheet.of(List.of(), now, query.address()));
        shell.page(ctx, "Inbox", "inbox/inbox", Map.of("inbox", sheet));
    }

    /** Clocks of nodes differ a little: what is shown counts as there, whatever they say. */
    private static String newest(List<Item> items, Moments now) {
        long shown = items.stream().mapToLong(item -> item.id().value()).max().orElse(0);
        return Ids.hex(Math.max(shown, Ids.lowestAt(now.now())));
    }

    private static List<Tab> tabs(InboxQuery query, Counts counts) {
        return Stream.of(View.values())
                .map(view -> new Tab(
                        view.text(), label(view), query.in(view).address(), count(view, counts), view == query.view()))
                .toList();
    }

    private static String label(View view) {
        return switch (view) {
            case TODO -> "To do";
            case SNOOZED -> "Snoozed";
            case SAVED -> "Saved";
            case DONE -> "Done";
        };
    }

    private static long count(View view, Counts counts) {
        return switch (view) {
            case TODO -> counts.todo();
            case SNOOZED -> counts.snoozed();
            case SAVED -> counts.saved();
            case DONE -> counts.done();
        };
    }

    private static Cursor cursor(Position position) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, position.recommendedAt());
        return Cursor.of(Long.toString(micros), position.id().hex());
    }

    private static Position position(Cursor cursor) {
        return new Position(Instant.EPOCH.plus(cursor.number(0), ChronoUnit.MICROS), ItemId.parse(cursor.text(1)));
    }
}
