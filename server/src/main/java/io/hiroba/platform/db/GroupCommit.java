package io.hiroba.platform.db;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets many threads write with few commits: items that come during a write go into the next one together. An item that comes
 * alone is written at once. Writers take turns; only if one is blocked, for example by a row lock, does another write in
 * parallel, since two at once would split the batches, and each costs a commit.
 */
public final class GroupCommit<T, R> implements AutoCloseable {

    /** How long other writers wait before they write in parallel. */
    private static final Duration MAX_WAIT = Duration.ofMillis(50);

    private final Function<List<T>, List<R>> write;
    private final int max;
    private final Duration turnTimeout;

    private final Semaphore turn = new Semaphore(1);

    private final BlockingQueue<Waiting<T, R>> waiting = new LinkedBlockingQueue<>();
    private final List<Thread> writers = new ArrayList<>();
    private boolean closed;

    /**
     * @param write writes a batch in one transaction and returns the results in the same order; if it throws, nothing was
     *     written, or the database is unavailable
     * @param writers the most writes at once, if each of them is blocked
     * @param max the largest batch
     */
    public GroupCommit(String name, int writers, int max, Function<List<T>, List<R>> write) {
        this(name, writers, max, write, MAX_WAIT);
    }

    GroupCommit(String name, int writers, int max, Function<List<T>, List<R>> write, Duration turnTimeout) {
        this.write = write;
        this.turnTimeout = turnTimeout;
        this.max = max;
        for (int i = 0; i < writers; i++) {
            this.writers.add(Thread.ofVirtual().name(name).start(this::loop));
        }
    }

    private record Waiting<T, R>(@Nullable T item, CompletableFuture<R> answer) {}

    /** Returns once {@code item} is durable; throws what its write threw. */
    public R write(T item) {
        if (Db.isRehearsal()) {
            throw new IllegalStateException("another thread would commit what is only rehearsed");
        }
        var mine = new Waiting<>(item, new CompletableFuture<R>());
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException("nothing is written any more");
            }
            waiting.add(mine);
        }
        try {
            return mine.answer().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    private void loop() {
        var batch = new ArrayList<Waiting<T, R>>();
        try {
            while (true) {
                batch.add(waiting.take());
                boolean mine = turn.tryAcquire(turnTimeout.toMillis(), TimeUnit.MILLISECONDS);
                waiting.drainTo(batch, max - 1);
                boolean last = batch.removeIf(each -> each.item() == null);
                if (last) {
                    end(); // for the next writer
                }
                writeAll(batch);
                if (mine) {
                    turn.release();
                }
                if (last) {
                    return;
                }
                batch.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeAll(List<Waiting<T, R>> batch) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            var answers = write.apply(batch.stream().map(Waiting::item).toList());
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).answer().complete(answers.get(i));
            }
        } catch (Throwable e) {
            // An item that cannot be written must not fail the others; if the database is unavailable, all fail.
            if (batch.size() > 1 && !SqlState.isUnavailable(e)) {
                batch.forEach(each -> writeAll(List.of(each)));
            } else {
                batch.forEach(each -> each.answer().completeExceptionally(e));
            }
        }
    }

    /** Writes the queued items, then ends; later writes are refused. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            end();
        }
        for (var writer : writers) {
            try {
                writer.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void end() {
        waiting.add(new Waiting<>(null, new CompletableFuture<>()));
    }
}
