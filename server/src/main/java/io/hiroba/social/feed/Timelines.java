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

/**
 * Keeps everybody's home feed. All that changes whether a post of an author stands in a timeline is an event of that
 * author's partition, so it is handled in order and by one worker at a time; and each step goes by the present state of
 * posts and follows, so that what is written is right whatever came first.
 */
public final class Timelines implements EventHandler {

    public static final String CONSUMER = "timelines";

    /** Rows that one statement writes for an author; it must end well before the statement timeout. */
    private static final int CHUNK = 20_000;

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
        var pairs = batch.stream()
                .filter(event -> PAIRS.contains(event.type()))
                .map(event -> Pair.of(id(event, "followerId"), id(event, "followeeId")))
                .distinct()
                .toList();
        var posts = batch.stream()
                .filter(event -> POSTS.contains(event.type()))
                .map(event -> Delivery.of(id(event, "postId"), id(event, "userId")))
                .distinct()
                .toList();
        if (!pairs.isEmpty()) {
            store.clear(tx, pairs);
        }
        for (var left = pairs; !left.isEmpty(); ) {
            left = store.fill(tx, left);
        }
        for (var left = posts; !left.isEmpty(); ) {
            left = store.deliver(tx, left);
        }
        for (var left = posts; !left.isEmpty(); ) {
            left = store.withdraw(tx, left);
        }
    }

    private static long id(Event event, String field) {
        return Ids.parse(event.payload().path(field).asString(""));
    }
}
