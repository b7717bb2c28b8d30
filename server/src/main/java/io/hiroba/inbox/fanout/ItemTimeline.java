package io.hiroba.inbox.fanout;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The items that requests to one user for one action about one resource lead to, had all that happened arrived in the order
 * of its times.
 */
final class ItemTimeline {

    /** The kind of a fact. Of facts with the same time, the first here is taken first. */
    enum Kind {
        /** Items that were resolved because the resource ended return. */
        REOPENED,
        REQUESTED,
        /** The resource was closed or merged. */
        ENDED,
        /** A rule or the user's own activity has resolved it. */
        RESOLVED,
        /** The user is asked no longer, or has dismissed the item: it does not return. */
        WITHDRAWN
    }

    /** A fact about items, by the clock of its source. */
    record Fact(Instant at, Kind kind) {}

    /** A request, which counts as the same if it has the same time. */
    record Request(Instant at, NotificationAuthor author) implements Comparable<Request> {

        @Override
        public int compareTo(Request other) {
            return at.compareTo(other.at);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Request request && request.at.equals(at);
        }

        @Override
        public int hashCode() {
            return at.hashCode();
        }
    }

    /** An item: one that is not done takes up the requests that follow. */
    static final class Episode {

        private final NavigableSet<Request> requests = new TreeSet<>();
        private @Nullable Kind resolvedBy;

        NavigableSet<Request> requests() {
            return requests;
        }

        Request last() {
            return requests.last();
        }

        boolean isDone() {
            return resolvedBy != null;
        }
    }

    private ItemTimeline() {}

    /** Replays what happened; the oldest item is the first. */
    static List<Episode> replay(Collection<Request> requests, Collection<Fact> facts) {
        var episodes = new ArrayList<Episode>();
        Stream.concat(requests.stream().map(Step::of), facts.stream().map(Step::of))
                .sorted(Step.ORDER)
                .forEach(step -> take(episodes, step));
        return episodes;
    }

    private static void take(List<Episode> episodes, Step step) {
        if (step.request() != null) {
            if (episodes.isEmpty() || episodes.getLast().isDone()) {
                episodes.add(new Episode());
            }
            episodes.getLast().requests.add(step.request());
        } else if (!episodes.isEmpty()) {
            var last = episodes.getLast();
            boolean ended = last.resolvedBy == Kind.ENDED;
            last.resolvedBy = switch (step.fact().kind()) {
                case REOPENED, REQUESTED -> ended ? null : last.resolvedBy;
                case ENDED, RESOLVED ->
                    last.isDone() ? last.resolvedBy : step.fact().kind();
                case WITHDRAWN -> last.isDone() && !ended ? last.resolvedBy : Kind.WITHDRAWN;
            };
        }
    }

    private record Step(Fact fact, @Nullable Request request) {

        static final Comparator<Step> ORDER =
                Comparator.comparing((Step step) -> step.fact.at()).thenComparing(step -> step.fact.kind());

        static Step of(Request request) {
            return new Step(new Fact(request.at(), Kind.REQUESTED), request);
        }

        static Step of(Fact fact) {
            return new Step(fact, null);
        }
    }
}
