package io.hiroba.webhooks;

import io.hiroba.accounts.Admins;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.PublishedEvent;
import io.hiroba.platform.events.PublishedEvents.Subscriber;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.WakeSignal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads the published events of all features in one order: that of the event log. Only as far as the log is complete, so that a
 * position never lies behind an event that is committed late.
 */
final class EventFeed {

    /** Events of the log that one page looks at. Most may be of other types or of others: the page is then short, or empty. */
    static final int MAX_SCANNED = 1000;

    /** The poll of those who wait: a signal is missing where no consumer wants the type, or while a transaction is open. */
    private static final Duration POLL = Duration.ofSeconds(1);

    /** Between two looks of one who waits. */
    private static final Duration MIN_INTERVAL = Duration.ofMillis(100);

    private static final Map<String, TokenScope> SCOPES =
            Arrays.stream(TokenScope.values()).collect(Collectors.toMap(TokenScope::code, Function.identity()));

    private final Db db;
    private final EventLog log;
    private final EventCatalog catalog;
    private final InstantSource clock;
    private final Duration retention;
    private final WakeSignal appended;
    private final Admins admins = new Admins();

    /** @param appended is raised when there may be new events */
    EventFeed(Db db, EventLog log, EventCatalog catalog, InstantSource clock, Duration retention, WakeSignal appended) {
        this.db = db;
        this.log = log;
        this.catalog = catalog;
        this.clock = clock;
        this.retention = retention;
        this.appended = appended;
    }

    /**
     * A page of events.
     *
     * @param position the id after which the next page begins
     * @param more whether there may be more at once
     */
    record FeedPage(List<PublishedEvent> events, long position, boolean more) {}

    EventCatalog catalog() {
        return catalog;
    }

    /** The position before the oldest event that is kept for sure. */
    long oldest() {
        return Ids.lowestAt(clock.instant().minus(retention));
    }

    /** The position before all events since a time: ids tell their time to about a second. A time to come is now. */
    long before(Instant since) {
        var now = clock.instant();
        return since.isBefore(Instant.EPOCH) ? 0 : Ids.lowestAt((since.isAfter(now) ? now : since).minusSeconds(1));
    }

    /** Refuses a position before which events may be missing. */
    long requireKept(long position) {
        if (position < oldest()) {
            throw WebhooksProblem.cursorExpired(retention);
        }
        return position;
    }

    FeedPage read(Caller caller, EventFilter filter, long after, int limit) {
        return db.read(reads -> {
            var page = log.read(reads, after, catalog.sources(), MAX_SCANNED);
            var wanted = page.events().stream()
                    .flatMap(event -> catalog.publish(event).stream())
                    .filter(event -> filter.matches(event) && allows(caller, event))
                    .toList();
            var readable = wanted.isEmpty() ? wanted : readable(reads, caller, wanted);
            if (readable.size() > limit) {
                var first = readable.subList(0, limit);
                return new FeedPage(first, first.getLast().id(), true);
            }
            return new FeedPage(readable, page.position(), page.more());
        });
    }

    /** As {@link #read}, and waits for the first event if there is none yet. */
    FeedPage await(Caller caller, EventFilter filter, long after, int limit, Duration wait) {
        long end = System.nanoTime() + wait.toNanos();
        long position = after;
        while (true) {
            long seen = appended.count();
            long looked = System.nanoTime();
            var page = read(caller, filter, position, limit);
            long left = end - System.nanoTime();
            if (!page.events().isEmpty() || left <= 0 || Thread.currentThread().isInterrupted()) {
                return page;
            }
            position = page.position();
            if (!page.more()) {
                appended.await(seen, left < POLL.toNanos() ? Duration.ofNanos(left) : POLL);
                // Where much happens that is not for this caller, it does not look after each of it.
                LockSupport.parkNanos(looked + MIN_INTERVAL.toNanos() - System.nanoTime());
            }
        }
    }

    /** Whether the caller's token has the scope of an event, or has it for the project that the event is of. */
    private boolean allows(Caller caller, PublishedEvent event) {
        var scope = SCOPES.get(catalog.scope(event.type()));
        return scope != null
                && caller.allows(
                        scope, event.data().path(PublishedEvent.PROJECT).asString(""));
    }

    /** Those that the caller may read at this moment; with the rights of an admin only if their token has these too. */
    private List<PublishedEvent> readable(Reads reads, Caller caller, List<PublishedEvent> events) {
        boolean admin = caller.admin()
                && caller.allows(TokenScope.ADMIN_READ)
                && admins.among(reads, List.of(caller.user())).contains(caller.user());
        var subscriber = new Subscriber(caller.user().value(), admin);
        return catalog.readable(reads, Map.of(subscriber, events)).getOrDefault(subscriber, List.of());
    }

    /** The scopes of a filter's types that the caller's token does not have, not even for the filter's projects. */
    List<String> missingScopes(Caller caller, EventFilter filter) {
        return catalog.scopes(filter)
                .filter(code -> {
                    var scope = SCOPES.get(code);
                    return scope == null || !(caller.allows(scope) || allowsAll(caller, scope, filter.projects()));
                })
                .toList();
    }

    private static boolean allowsAll(Caller caller, TokenScope scope, List<String> projects) {
        return !projects.isEmpty() && projects.stream().allMatch(project -> caller.allows(scope, project));
    }
}
