package io.hiroba.knowledge;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Backfills the posts from before a rule was turned on, and deletes the sources that no rule covers after one was turned off:
 * one batch a transaction, which also stores the progress. Nodes share the work by locking rules.
 */
final class PostRuleWorker implements AutoCloseable {

    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    /** The number of newest posts that are backfilled. */
    static final int MAX_BACKFILL = 5_000;

    private final Db db;
    private final PostSourceSync sync;
    private final WakeSignal changed;
    private final PostSourceStore store = new PostSourceStore();
    private final AtomicBoolean closed = new AtomicBoolean();
    private Optional<WorkLoop> loop = Optional.empty();

    /** @param changed raised when a rule was turned on or off */
    PostRuleWorker(Db db, PostSourceSync sync, WakeSignal changed) {
        this.db = db;
        this.sync = sync;
        this.changed = changed;
    }

    PostRuleWorker start() {
        loop = Optional.of(WorkLoop.whenSignalled(
                "post rules", 1, changed, WorkLoop.FALLBACK_POLL, () -> !closed.get() && db.inTransaction(this::step)));
        return this;
    }

    private boolean step(Tx tx) {
        var rule = store.claim(tx);
        rule.ifPresent(found -> {
            if (found.ended()) {
                clear(tx, found);
            } else {
                fill(tx, found);
            }
        });
        if (rule.isEmpty() && store.hasPending(tx)) {
            // Whoever handles posts at the moment holds the rule.
            changed.raiseAlsoIn(RETRY_DELAY);
        }
        return rule.isPresent();
    }

    private void fill(Tx tx, PostSourceStore.PendingRule rule) {
        var posts = store.posts(tx, rule, PostSourceSync.BATCH_SIZE);
        if (!posts.isEmpty()) {
            sync.sync(tx, posts);
        }
        int backfilled = rule.backfilled() + posts.size();
        boolean done = posts.size() < PostSourceSync.BATCH_SIZE || backfilled >= MAX_BACKFILL;
        store.advance(tx, rule, done ? null : posts.getLast().post(), backfilled);
    }

    private void clear(Tx tx, PostSourceStore.PendingRule rule) {
        var sources = store.sources(tx, rule, PostSourceSync.BATCH_SIZE);
        if (!sources.isEmpty()) {
            sync.sync(tx, sources.stream().map(PostSourceStore.PostSource::post).toList());
        }
        if (sources.size() < PostSourceSync.BATCH_SIZE) {
            store.deleteEnded(tx, rule);
        } else {
            store.advance(tx, rule, sources.getLast().source(), rule.backfilled());
        }
    }

    @Override
    public void close() {
        closed.set(true);
        loop.ifPresent(WorkLoop::close);
    }
}
