package io.hiroba.knowledge.posts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Takes the posts from before a rule was turned on, and forgets those that none covers since one was turned off: a page a
 * transaction, which also notes how far it is. Nodes share the work by locking rules.
 */
public final class PostRuleWork implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofSeconds(2);

    /** Of the posts from before a rule, the newest. */
    static final int MOST_TAKEN = 5_000;

    private final Db db;
    private final PostSources sources;
    private final PostSourceStore store = new PostSourceStore();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final WorkLoop background;

    public PostRuleWork(Db db, PostKnowledge knowledge) {
        this.db = db;
        this.sources = knowledge.sources();
        this.background = WorkLoop.every(PAUSE, "post rules", this::run);
    }

    private void run() {
        boolean more = true;
        while (more && !closed.get()) {
            more = db.inTransaction(this::step);
        }
    }

    private boolean step(Tx tx) {
        var todo = store.take(tx);
        todo.ifPresent(found -> {
            if (found.ended()) {
                clear(tx, found);
            } else {
                fill(tx, found);
            }
        });
        return todo.isPresent();
    }

    private void fill(Tx tx, PostSourceStore.Todo todo) {
        var posts = store.posts(tx, todo, PostKnowledge.AT_ONCE);
        if (!posts.isEmpty()) {
            sources.settle(tx, posts);
        }
        int taken = todo.taken() + posts.size();
        boolean done = posts.size() < PostKnowledge.AT_ONCE || taken >= MOST_TAKEN;
        store.advance(tx, todo, done ? null : posts.getLast().post(), taken);
    }

    private void clear(Tx tx, PostSourceStore.Todo todo) {
        var made = store.sources(tx, todo, PostKnowledge.AT_ONCE);
        if (!made.isEmpty()) {
            sources.settle(tx, made.stream().map(PostSourceStore.Made::post).toList());
        }
        if (made.size() < PostKnowledge.AT_ONCE) {
            store.forget(tx, todo);
        } else {
            store.advance(tx, todo, made.getLast().source(), todo.taken());
        }
    }

    @Override
    public void close() {
        closed.set(true);
        background.close();
    }
}
