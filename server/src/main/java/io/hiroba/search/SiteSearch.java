package io.hiroba.search;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.search.SearchSource.Finder;
import io.hiroba.platform.search.SearchSource.SearchResult;
import io.javalin.http.Context;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks all sources side by side. One that is slow or fails costs its own group only: the others are shown after a set time at
 * the latest.
 */
final class SiteSearch implements AutoCloseable {

    static final int MAX_LENGTH = 200;

    private static final Logger log = LoggerFactory.getLogger(SiteSearch.class);
    private static final Duration BUDGET = Duration.ofSeconds(3);

    /** The searches under way on a node, those included that nobody waits for any more. */
    private static final int MAX_RUNNING = 64;

    private final List<SearchSource> sources;
    private final long budgetNanos;
    private final Semaphore running = new Semaphore(MAX_RUNNING);
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("search ", 0).factory());

    SiteSearch(List<SearchSource> sources) {
        this(sources, BUDGET);
    }

    SiteSearch(List<SearchSource> sources, Duration budget) {
        this.sources = sources.stream()
                .sorted(Comparator.comparingInt(SearchSource::order))
                .toList();
        this.budgetNanos = budget.toNanos();
    }

    /** A source with the search of the request's caller. */
    record Asked(SearchSource source, Finder finder) {}

    /** The state of a group. */
    enum Status {
        OK,
        /** It took too long, or too many searches are under way. */
        TIMEOUT,
        FAILED,
        /** The query makes no sense to it. */
        REFUSED
    }

    /**
     * The results of one source.
     *
     * @param more whether there are more than these
     * @param refusal the reason why the query was refused
     */
    record Group(
            SearchSource source,
            Status status,
            List<SearchResult> results,
            boolean more,
            @Nullable Text refusal) {

        static Group without(SearchSource source, Status status, @Nullable Text refusal) {
            return new Group(source, status, List.of(), false, refusal);
        }
    }

    List<String> types() {
        return sources.stream().map(SearchSource::type).toList();
    }

    /** The sources that have something for the request's caller, in the order of their tabs. */
    List<Asked> sources(Context ctx) {
        return sources.stream()
                .flatMap(source -> source.finder(ctx).map(finder -> new Asked(source, finder)).stream())
                .toList();
    }

    /** The groups of {@code asked}, with up to {@code limit} results each. */
    List<Group> search(List<Asked> asked, String typed, int limit) {
        long deadline = System.nanoTime() + budgetNanos;
        var begun = asked.stream().map(each -> begin(each, typed, limit)).toList();
        return begun.stream().map(group -> group.waitUntil(deadline)).toList();
    }

    private Begun begin(Asked asked, String typed, int limit) {
        if (!running.tryAcquire()) {
            return new Begun(
                    asked.source, CompletableFuture.completedFuture(Group.without(asked.source, Status.TIMEOUT, null)));
        }
        var group = CompletableFuture.supplyAsync(() -> group(asked, typed, limit), threads);
        return new Begun(asked.source, group.whenComplete((done, failure) -> running.release()));
    }

    private static Group group(Asked asked, String typed, int limit) {
        var begun = Timer.start();
        var group = find(asked, typed, limit);
        begun.stop(Timer.builder("hiroba.search.groups")
                .description("Searches of one kind of results on this node")
                .tag("type", asked.source.type())
                .tag("status", group.status().name().toLowerCase(Locale.ROOT))
                .register(Metrics.globalRegistry));
        return group;
    }

    private static Group find(Asked asked, String typed, int limit) {
        try {
            var found = asked.finder.find(typed, limit + 1);
            boolean more = found.size() > limit;
            return new Group(asked.source, Status.OK, more ? found.subList(0, limit) : found, more, null);
        } catch (Problem refusal) {
            return refusal.kind() == Problem.Kind.INVALID
                    ? Group.without(asked.source, Status.REFUSED, refusal.detail())
                    : failed(asked.source, refusal);
        } catch (RuntimeException failure) {
            return failed(asked.source, failure);
        }
    }

    private static Group failed(SearchSource source, RuntimeException failure) {
        log.warn("Searching {} failed", source.type(), failure);
        return Group.without(source, Status.FAILED, null);
    }

    /** A group that is being searched. */
    private record Begun(SearchSource source, CompletableFuture<Group> group) {

        /** It is not interrupted when the time is over: that would close the connection it reads from. */
        Group waitUntil(long deadline) {
            return group.copy()
                    .completeOnTimeout(
                            Group.without(source, Status.TIMEOUT, null),
                            Math.max(0, deadline - System.nanoTime()),
                            TimeUnit.NANOSECONDS)
                    .join();
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
