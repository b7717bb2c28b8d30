package io.hiroba.social;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.TimelineStore.FanoutStep;
import io.hiroba.social.TimelineStore.FollowPair;
import io.hiroba.social.TimelineWindows.TimelineLimits;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Fans posts out to the timelines of followers who have one. All events that change an author's posts in timelines are in the author's
 * partition, so they are handled in order by one worker at a time; and each step reads the current state of posts and
 * follows, so that the result does not depend on the order of events.
 */
public final class TimelineFanout implements EventHandler {

    public static final String CONSUMER = "timelines";

    /**
     * Posts or pairs of one statement, and the rows that it writes for each; together far from the statement timeout.
     */
    private static final int BATCH_SIZE = 20;

    private static final int ROWS_PER_BATCH = 1_000;

    private static final Set<String> POSTS = Set.of(SocialEvents.POST, SocialEvents.POST_DELETED);
    private static final Set<String> PAIRS = Set.of(SocialEvents.FOLLOW, SocialEvents.UNFOLLOW);

    private final TimelineStore store;
    private final CommitSignal commits;

    public TimelineFanout() {
        this(TimelineLimits.DEFAULT, ROWS_PER_BATCH);
    }

    /** @param commits for pages that show new posts */
    TimelineFanout(CommitSignal commits) {
        this(TimelineLimits.DEFAULT, ROWS_PER_BATCH, commits);
    }

    TimelineFanout(TimelineLimits limits, int rowsPerBatch) {
        this(limits, rowsPerBatch, new CommitSignal());
    }

    private TimelineFanout(TimelineLimits limits, int rowsPerBatch, CommitSignal commits) {
        this.store = new TimelineStore(limits, rowsPerBatch);
        this.commits = commits;
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        var pairs = of(batch, PAIRS, event -> new FollowPair(id(event, "followerId"), id(event, "followeeId")));
        var posts = of(batch, POSTS, event -> FanoutStep.of(id(event, "postId"), id(event, "userId")));
        if (!pairs.isEmpty()) {
            handlePairs(tx, pairs);
        }
        inBatches(posts, step -> store.fanOut(tx, step));
        inBatches(posts, step -> store.removeDeleted(tx, step));
        if (!posts.isEmpty()) {
            tx.afterCommit(() -> commits.raise(LivePosts.TOPIC, Set.of(CommitSignal.ANY)));
        }
        for (var user : of(batch, Set.of(SocialEvents.USER_DELETED), event -> id(event, "userId"))) {
            while (store.deleteUser(tx, user)) {
                // deleteUser does the work.
            }
        }
    }

    @Override
    public boolean isAffectedBy(String type) {
        return POSTS.contains(type) || PAIRS.contains(type) || type.equals(SocialEvents.USER_DELETED);
    }

    private void handlePairs(Tx tx, List<FollowPair> pairs) {
        var built = store.lockBuilt(tx, pairs.stream().map(FollowPair::follower).collect(Collectors.toSet()));
        var affected =
                pairs.stream().filter(pair -> built.contains(pair.follower())).toList();
        inBatches(affected, step -> store.prune(tx, step));
        inBatches(affected, step -> {
            store.unpull(tx, step);
            store.backfill(tx, step);
            return List.of();
        });
    }

    private static <T> List<T> of(List<Event> batch, Set<String> types, Function<Event, T> subject) {
        return batch.stream()
                .filter(event -> types.contains(event.type()))
                .map(subject)
                .distinct()
                .toList();
    }

    /** Runs {@code step} on batches of {@code all}, and again on what it returns as unfinished. */
    private static <T> void inBatches(List<T> all, UnaryOperator<List<T>> step) {
        for (int from = 0; from < all.size(); from += BATCH_SIZE) {
            var unfinished = all.subList(from, Math.min(from + BATCH_SIZE, all.size()));
            while (!unfinished.isEmpty()) {
                unfinished = step.apply(unfinished);
            }
        }
    }

    private static long id(Event event, String field) {
        return Ids.parse(event.payload().path(field).asString(""));
    }
}
