package io.hiroba.knowledge.embedding;

import io.hiroba.platform.task.WakeSignal;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one node does for one space: claims chunks and has them embedded, some batches at once. */
final class Lane implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Lane.class);

    private final Space space;
    private final EmbeddingQueue queue;
    private final Batches batches;
    private final Breaker breaker;
    private final WakeSignal signal;
    private final Limits limits;
    private final Semaphore room;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Claim> under = ConcurrentHashMap.newKeySet();
    private final Thread loop;
    private volatile boolean closing;

    /**
     * How many chunks a batch has, how many batches are under way at once, how often the queue is looked at, and how long
     * what is under way may go on after the end.
     */
    record Limits(int batch, int atOnce, Duration poll, Duration patience) {}

    Lane(Space space, EmbeddingQueue queue, Batches batches, Breaker breaker, WakeSignal signal, Limits limits) {
        this.space = space;
        this.queue = queue;
        this.batches = batches;
        this.breaker = breaker;
        this.signal = signal;
        this.limits = limits;
        this.room = new Semaphore(limits.atOnce());
        this.loop = Thread.ofVirtual().name("embedding " + space.id()).unstarted(this::loop);
    }

    Lane start() {
        loop.start();
        return this;
    }

    Breaker breaker() {
        return breaker;
    }

    private void loop() {
        while (!closing) {
            long seen = signal.count();
            var rest = breaker.rest();
            try {
                if (rest.isZero() && step()) {
                    continue;
                }
            } catch (Throwable e) { // an Error too: nobody would start the loop again
                log.warn("Embedding for {} failed and will be tried again", space.model(), e);
            }
            if (!closing) {
                signal.await(seen, rest.isPositive() && rest.compareTo(limits.poll()) < 0 ? rest : limits.poll());
            }
        }
    }

    /** False if there is nothing to do for now. */
    private boolean step() throws InterruptedException {
        if (breaker.state() == Breaker.State.HALF_OPEN) {
            if (!queue.hasDue(space)) {
                return false;
            }
            batches.probe();
            return true;
        }
        if (!room.tryAcquire(limits.poll().toNanos(), TimeUnit.NANOSECONDS)) {
            return true;
        }
        boolean handed = false;
        try {
            if (closing || breaker.rest().isPositive()) {
                return false;
            }
            var claim = queue.claim(space, limits.batch());
            if (claim.isEmpty()) {
                return false;
            }
            under.add(claim.get());
            threads.execute(() -> carryOut(claim.get()));
            handed = true;
            return true;
        } finally {
            if (!handed) {
                room.release();
            }
        }
    }

    private void carryOut(Claim claim) {
        try {
            batches.embed(claim);
        } catch (Throwable e) {
            // The claim ends with its lease.
            log.warn("A batch for {} failed and will be tried again", space.model(), e);
        } finally {
            under.remove(claim);
            room.release();
        }
    }

    /** Claims no more; batches under way go on. */
    void stop() {
        closing = true;
        signal.raise();
    }

    /** Lets batches under way finish, but not for long: what is not done by then is given back. */
    @Override
    public void close() {
        stop();
        try {
            loop.join(limits.patience());
            threads.shutdown();
            if (!threads.awaitTermination(limits.patience().toNanos(), TimeUnit.NANOSECONDS)) {
                under.forEach(claim -> queue.giveBack(claim, Duration.ZERO));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
