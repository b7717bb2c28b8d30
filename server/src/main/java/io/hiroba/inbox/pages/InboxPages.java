package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.inbox.Inbox;
import io.hiroba.inbox.InboxCounts;
import io.hiroba.inbox.InboxItem;
import io.hiroba.inbox.InboxView;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ItemPage.ItemPosition;
import io.hiroba.inbox.fanout.ExternalIdentities;
import io.hiroba.inbox.gitlab.Connections;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The pages of the lists. */
final class InboxPages implements Routes {

    private static final int PAGE_SIZE = 30;
    private static final int MAX_PAGE_SIZE = 100;
    private static final String LIST = "pages.inbox.";

    private final Shell shell;
    private final Inbox inbox;
    private final Readers readers;
    private final FilterOptionStore choices;
    private final ExternalIdentities identities;
    private final Connections connections;
    private final Cursors cursors;

    InboxPages(
            Shell shell,
            Inbox inbox,
            Readers readers,
            FilterOptionStore choices,
            ExternalIdentities identities,
            Connections connections,
            Cursors cursors) {
        this.shell = shell;
        this.inbox = inbox;
        this.readers = readers;
        this.choices = choices;
        this.identities = identities;
        this.connections = connections;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(InboxNav.INBOX, this::show);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var query = InboxQuery.of(ctx);
        var request = PageRequest.of(ctx, PAGE_SIZE, MAX_PAGE_SIZE);
        var list = LIST + query.view().text() + "." + query.sort().text();
        var after = cursors.read(list, request).map(InboxPages::position);
        var page = inbox.list(caller, query.filter(), after, request.limit());
        var more = page.next()
                .map(next -> query.after(cursors.write(list, cursor(next))))
                .orElse(null);
        var reader = readers.reader(ctx);
        var counts = inbox.filterCounts(caller);
        var events = inbox.snoozeEvents(
                caller, page.items().stream().map(InboxItem::id).toList());
        var listing = new InboxListing(
                query,
                tabs(query, counts.lists()),
                new FilterForm(
                        query,
                        counts,
                        choices.namespaces(caller.user(), query.view(), query.namespace()),
                        choices.authors(caller.user(), query.view(), query.author(), reader),
                        reader),
                new ItemRows(caller.user(), reader, query, events).of(page.items()),
                more,
                after.isEmpty(),
                newest(page.items(), reader),
                gettingStarted(caller, query, reader),
                SnoozeForm.of(List.of(), List.of(), reader, query.address()));
        shell.page(ctx, Text.of("inbox.title"), "inbox/inbox", Map.of("inbox", listing));
    }

    /** At least the newest id shown: the clock of the node that created it may be ahead of this one. */
    private static String newest(List<InboxItem> items, Reader reader) {
        long shown = items.stream().mapToLong(item -> item.id().value()).max().orElse(0);
        return Ids.hex(Math.max(shown, Ids.lowestAt(reader.now())));
    }

    private static List<InboxListing.Tab> tabs(InboxQuery query, InboxCounts counts) {
        return Stream.of(InboxView.values())
                .map(view -> new InboxListing.Tab(
                        view.text(),
                        Text.of("inbox.tab." + view.text()),
                        query.in(view).address(),
                        count(view, counts),
                        view == query.view()))
                .toList();
    }

    private static long count(InboxView view, InboxCounts counts) {
        return switch (view) {
            case TODO -> counts.todo();
            case SNOOZED -> counts.snoozed();
            case SAVED -> counts.saved();
            case DONE -> counts.done();
        };
    }

    private static Cursor cursor(ItemPosition position) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, position.recommendedAt());
        return Cursor.of(Long.toString(micros), position.id().hex());
    }

    private static ItemPosition position(Cursor cursor) {
        return new ItemPosition(Instant.EPOCH.plus(cursor.number(0), ChronoUnit.MICROS), ItemId.parse(cursor.text(1)));
    }

    /** The links of the empty list of a new user. */
    private List<InboxOption> gettingStarted(Caller caller, InboxQuery query, Reader reader) {
        var links = new ArrayList<InboxOption>();
        if (query.view() != InboxView.TODO || query.isFiltered()) {
            return links;
        }
        if (caller.admin() && connections.list(caller).isEmpty()) {
            links.add(new InboxOption(InboxNav.CONNECTIONS, reader.text("inbox.connect-gitlab")));
        }
        if (identities.of(caller.user()).isEmpty()) {
            links.add(new InboxOption(InboxNav.SETTINGS + "#names-heading", reader.text("inbox.link-account")));
        }
        return links;
    }
}
