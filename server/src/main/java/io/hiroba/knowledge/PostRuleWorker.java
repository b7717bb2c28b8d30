package io.hiroba.knowledge;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Backfills the posts from before a rule was turned on, and deletes the sources that no rule covers after one was turned off:
 * one batch a transaction, which also stores the progress. Nodes share the work by locking rules.
 */
final class PostRuleWorker implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(2);

    /** The number of newest posts that are backfilled. */
    static final int MAX_BACKFILL = 5_000;

    private final Db db;
    private final PostSourceSync sync;
    private final PostSourceStore store = new PostSourceStore();
    private final AtomicBoolean closed = new AtomicBoolean();
    private Optional<WorkLoop> loop = Optional.empty();

    PostRuleWorker(Db db, PostSourceSync sync) {
        this.db = db;
        this.sync = sync;
    }

    PostRuleWorker start() {
        loop = Optional.of(WorkLoop.every(INTERVAL, "post rules", this::run));
        return this;
    }

    private void run() {
        boolean more = true;
        while (more && !closed.get()) {
            more = db.inTransaction(this::step);
        }
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
