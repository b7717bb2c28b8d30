package io.hiroba.social.feed;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.SocialEvents;
import io.hiroba.social.feed.TimelineStore.Delivery;
import io.hiroba.social.feed.TimelineStore.Pair;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Keeps everybody's home feed. All that changes whether a post of an author stands in a timeline is an event of that
 * author's partition, so it is handled in order and by one worker at a time; and each step goes by the present state of
 * posts and follows, so that what is written is right whatever came first.
 */
public final class Timelines implements EventHandler {

    public static final String CONSUMER = "timelines";

    /** Posts or pairs that one statement is about, and rows that it writes for each; together far from the timeout. */
    private static final int TOGETHER = 20;

    private static final int CHUNK = 1_000;

    private static final Set<String> POSTS = Set.of(SocialEvents.POST, SocialEvents.POST_DELETED);
    private static final Set<String> PAIRS = Set.of(SocialEvents.FOLLOW, SocialEvents.UNFOLLOW);

    private final TimelineStore store;

    public Timelines() {
        this(CHUNK);
    }

    Timelines(int chunk) {
        this.store = new TimelineStore(chunk);
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        var pairs = of(batch, PAIRS, event -> Pair.of(id(event, "followerId"), id(event, "followeeId")));
        var posts = of(batch, POSTS, event -> Delivery.of(id(event, "postId"), id(event, "userId")));
        inSteps(pairs, step -> store.clear(tx, step));
        inSteps(pairs, step -> store.fill(tx, step));
        inSteps(posts, step -> store.deliver(tx, step));
        inSteps(posts, step -> store.withdraw(tx, step));
        for (var user : of(batch, Set.of(SocialEvents.USER_DELETED), event -> id(event, "userId"))) {
            while (store.forget(tx, user)) {
                // There is more.
            }
        }
    }

    private static <T> List<T> of(List<Event> batch, Set<String> types, Function<Event, T> subject) {
        return batch.stream()
                .filter(event -> types.contains(event.type()))
                .map(subject)
                .distinct()
                .toList();
    }

    /** Takes some of {@code all} at a time, and of those that are not done the rest again. */
    private static <T> void inSteps(List<T> all, UnaryOperator<List<T>> step) {
        for (int from = 0; from < all.size(); from += TOGETHER) {
            var left = all.subList(from, Math.min(from + TOGETHER, all.size()));
            while (!left.isEmpty()) {
                left = step.apply(left);
            }
        }
    }

    private static long id(Event event, String field) {
        return Ids.parse(event.payload().path(field).asString(""));
    }
}
