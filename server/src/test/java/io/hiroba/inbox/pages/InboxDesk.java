package io.hiroba.inbox.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.Namespaces;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.inbox.fanout.ResourceSnapshot;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.SquarePages;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** People with items in their browsers. Another node, which the server does not know, gives them. */
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
abstract class InboxDesk extends SquarePages {

    private static final ConnectionId ELSEWHERE = new ConnectionId(2);

    private final AtomicInteger count = new AtomicInteger();
    private WorkerLease lease;
    private Namespaces namespaces;
    private ResourceMirror resources;
    private Notifier notifier;

    @BeforeAll
    void openDesk() {
        var db = square.server.database().db();
        lease = new WorkerLease(db, Clock.systemUTC(), Duration.ofSeconds(30));
        namespaces = new Namespaces(lease.ids(), Clock.systemUTC());
        resources = new ResourceMirror(lease.ids());
        notifier = new Notifier(lease.ids(), Clock.systemUTC(), namespaces, resources, new Silent());
    }

    @AfterAll
    void closeDesk() {
        lease.close();
    }

    /** Asks somebody for the review of a merge request with this title. */
    void ask(Person reader, String title) {
        give(reader, Action.REVIEW_REQUESTED, mergeRequest("garden/plots", title, "https://gitlab.example/1"), null);
    }

    void ask(Person reader, List<String> titles) {
        titles.forEach(title -> ask(reader, title));
    }

    Resource mergeRequest(String namespace, String title, String url) {
        return resource(namespace, title, url, new ResourceDetails.MergeRequest(1L, false, null));
    }

    Resource resource(String namespace, String title, String url, ResourceDetails details) {
        return square.server
                .database()
                .db()
                .inTransaction(tx -> resources
                        .upsert(
                                tx,
                                new ResourceSnapshot(
                                        ELSEWHERE,
                                        namespaces.at(tx, ELSEWHERE, namespace).id(),
                                        "r" + count.incrementAndGet(),
                                        title,
                                        url,
                                        "opened",
                                        Instant.now(),
                                        details))
                        .resource());
    }

    void give(Person reader, Action action, Resource about, @Nullable Person author) {
        var by = author == null ? NotificationAuthor.NOBODY : NotificationAuthor.of(UserId.parse(author.id()));
        var request = NotificationRequest.of(about, action, by, Instant.now());
        square.server
                .database()
                .db()
                .useTransaction(tx -> notifier.notifyUsers(tx, request, List.of(UserId.parse(reader.id()))));
    }

    /** Sends a form as a browser does; the answer is its status. */
    static int send(Person person, String path, String... fields) {
        return person.api()
                .with("Accept", "text/html")
                .sendAs("application/x-www-form-urlencoded", "POST", path, String.join("&", fields))
                .status();
    }

    static void keys(Page page, String... keys) {
        for (var key : keys) {
            page.keyboard().press(key);
        }
    }

    static Locator items(Page page) {
        return page.locator("#items .item");
    }

    static Locator titles(Page page) {
        return page.locator("#items .item .title a, #items .item .title > span:not(.dot):not(.tag)");
    }

    static Locator item(Page page, String title) {
        return items(page).filter(new Locator.FilterOptions().setHasText(title));
    }

    static void assertFocused(Page page, String title) {
        assertThat(page.locator(".item:focus")).containsText(title);
    }

    static void assertCount(Page page, String tab, String count) {
        assertThat(page.locator("[data-count-of=" + tab + "]")).hasText(count);
    }

    static void assertFits(Page page) {
        var overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assertThat(((Number) overflow).intValue()).as(page.url()).isLessThanOrEqualTo(0);
    }

    private static final class Silent implements ItemListener {

        @Override
        public void created(Tx tx, NotificationRequest request, List<CreatedNotification> items) {}

        @Override
        public void changed(Tx tx, Collection<UserId> users) {}
    }
}
