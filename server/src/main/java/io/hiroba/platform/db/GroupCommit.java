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
 * Lets many threads write with few commits: what comes while a write is under way goes together into the next. Nobody
 * waits for company; a write that comes alone is made at once. Writers take turns, and only where one is held up, by a row that
 * somebody has locked maybe, does another write beside it: two at once would share what comes, and each costs a commit.
 */
public final class GroupCommit<T, R> implements AutoCloseable {

    /** How long the others let one writer write alone. */
    private static final Duration MAX_WAIT = Duration.ofMillis(50);

    private final Function<List<T>, List<R>> write;
    private final int most;
    private final Duration patience;

    private final Semaphore turn = new Semaphore(1);

    private final BlockingQueue<Waiting<T, R>> waiting = new LinkedBlockingQueue<>();
    private final List<Thread> writers = new ArrayList<>();
    private boolean closed;

    /**
     * @param write writes all of a list in one transaction, and answers for each in the same order; if it throws, nothing
     *     was written, or the database is away
     * @param writers how many writes may be under way at once, where each of them is held up
     * @param most how many may go together
     */
    public GroupCommit(String name, int writers, int most, Function<List<T>, List<R>> write) {
        this(name, writers, most, write, MAX_WAIT);
    }

    GroupCommit(String name, int writers, int most, Function<List<T>, List<R>> write, Duration patience) {
        this.write = write;
        this.patience = patience;
        this.most = most;
        for (int i = 0; i < writers; i++) {
            this.writers.add(Thread.ofVirtual().name(name).start(this::loop));
        }
    }

    private record Waiting<T, R>(@Nullable T item, CompletableFuture<R> answer) {}

    /** Returns once {@code item} is durable; throws what its write threw. */
    public R write(T item) {
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
                boolean mine = turn.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
                waiting.drainTo(batch, most - 1);
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
            // One that cannot be written must not take the others with it; where the database is away, all are alike.
            if (batch.size() > 1 && !SqlState.isUnavailable(e)) {
                batch.forEach(each -> writeAll(List.of(each)));
            } else {
                batch.forEach(each -> each.answer().completeExceptionally(e));
            }
        }
    }

    /** Writes what waits, then ends; a later write is refused. */
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
