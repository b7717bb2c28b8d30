package io.hiroba.webhooks;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.events.PublishedEvent;
import io.hiroba.platform.http.EventStream;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.webhooks.EventFeed.FeedPage;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** The API of the feed of events: pages, which may wait for the first event, and an event stream. */
final class EventFeedRoutes implements Routes {

    private static final Logger log = LoggerFactory.getLogger(EventFeedRoutes.class);
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 500;

    /** Below the time that a node gives requests to end when it stops. */
    private static final int MAX_WAIT_SECONDS = 20;

    /** A stream with more to tell ends after so many, which fit into its queue: the reader comes back for the rest. */
    private static final int MAX_BACKLOG = 400;

    /** A position before all events, which programs may begin with. */
    static final String BEGINNING = "0";

    /** Requests that wait on a node; more are answered at once, as if there were no time to wait. */
    private static final int MAX_WAITING = 200;

    /** Those of one person, who would keep the others from waiting. */
    private static final int MAX_WAITING_OF_ONE = 20;

    private final EventFeed feed;
    private final EventStreams streams;
    private final Semaphore waiting = new Semaphore(MAX_WAITING);
    private final Map<UserId, Integer> waitingOfOne = new ConcurrentHashMap<>();

    EventFeedRoutes(EventFeed feed, EventStreams streams) {
        this.feed = feed;
        this.streams = streams;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/events", this::read);
    }

    /** An event as it is told to programs, here and in the bodies of webhooks. */
    record EventView(String id, String type, Instant time, String key, ObjectNode data) {

        static EventView of(PublishedEvent event) {
            return new EventView(Ids.hex(event.id()), event.type(), event.at(), event.key(), event.data());
        }
    }

    private record FeedView(List<EventView> items, String next, boolean more) {}

    private void read(Context ctx) {
        var caller = Caller.of(ctx);
        var params = QueryParams.of(ctx, WebhooksProblem::invalid);
        var filter = filter(params);
        boolean streamed = Optional.ofNullable(ctx.header("Accept"))
                .filter(accept -> accept.toLowerCase(Locale.ROOT).contains("text/event-stream"))
                .isPresent();
        long after = position(ctx, params, streamed);
        int limit = params.integer("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
        var wait = Duration.ofSeconds(params.integer("wait", 0, 0, MAX_WAIT_SECONDS));
        if (streamed) {
            streams.serve(ctx, caller.user().hex(), stream -> begin(stream, caller, filter, after));
            return;
        }
        var page = page(caller, filter, after, limit, wait);
        ctx.json(new FeedView(
                page.events().stream().map(EventView::of).toList(), Ids.hex(page.position()), page.more()));
    }

    private FeedPage page(Caller caller, EventFilter filter, long after, int limit, Duration wait) {
        if (wait.isZero() || !mayWait(caller.user())) {
            return feed.read(caller, filter, after, limit);
        }
        try {
            return feed.await(caller, filter, after, limit, wait);
        } finally {
            endWait(caller.user());
        }
    }

    private boolean mayWait(UserId user) {
        if (!waiting.tryAcquire()) {
            return false;
        }
        if (waitingOfOne.merge(user, 1, Integer::sum) <= MAX_WAITING_OF_ONE) {
            return true;
        }
        endWait(user);
        return false;
    }

    private void endWait(UserId user) {
        waitingOfOne.computeIfPresent(user, (_, count) -> count == 1 ? null : count - 1);
        waiting.release();
    }

    private EventFilter filter(QueryParams params) {
        var text = params.text("types");
        var given = text == null ? List.<String>of() : listed(text);
        var patterns = given.isEmpty() ? EventFilter.ALL.patterns() : given;
        requireKnown(feed.catalog(), "types", patterns);
        var projects = params.text("projects");
        var workflows = params.text("workflows");
        return new EventFilter(
                patterns,
                projects == null ? List.of() : EventFilter.validProjects("projects", listed(projects)),
                workflows == null ? List.of() : EventFilter.validWorkflows("workflows", listed(workflows)));
    }

    private static List<String> listed(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .toList();
    }

    static void requireKnown(EventCatalog catalog, String field, List<String> patterns) {
        catalog.unknown(patterns).findFirst().ifPresent(pattern -> {
            throw WebhooksProblem.invalid(
                    field,
                    Text.of("webhooks.field.type", "type", pattern, "types", String.join(", ", catalog.types())));
        });
    }

    private long position(Context ctx, QueryParams params, boolean streamed) {
        var last = streamed ? ctx.header("Last-Event-ID") : null;
        var after = last == null || last.isEmpty() ? params.text("after") : last;
        if (after != null && !after.isEmpty() && !after.equals(BEGINNING)) {
            if (!Ids.isId(after)) {
                throw WebhooksProblem.invalid("after", Text.of("webhooks.field.cursor"));
            }
            return feed.requireKept(Ids.parse(after));
        }
        var since = params.time("since", Instant.MAX);
        return since.equals(Instant.MAX) ? feed.oldest() : feed.requireKept(feed.before(since));
    }

    private Runnable begin(EventStream stream, Caller caller, EventFilter filter, long after) {
        var over = new AtomicBoolean();
        Thread.ofVirtual().name("event feed").start(() -> {
            try {
                send(stream, caller, filter, after, over);
            } catch (RuntimeException e) {
                log.warn("An event stream ends, and its reader comes back", e);
                stream.finish();
            }
        });
        return () -> over.set(true);
    }

    private void send(EventStream stream, Caller caller, EventFilter filter, long after, AtomicBoolean over) {
        long position = after;
        while (!over.get()) {
            var page = feed.await(caller, filter, position, MAX_BACKLOG, Duration.ofSeconds(5));
            for (var event : page.events()) {
                stream.send(Ids.hex(event.id()), event.type(), Json.text(EventView.of(event)));
            }
            if (page.more() && page.events().size() >= MAX_BACKLOG) {
                stream.finish();
                return;
            }
            position = page.position();
        }
    }
}
