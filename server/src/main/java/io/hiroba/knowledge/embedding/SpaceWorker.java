package io.hiroba.knowledge.embedding;

import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims chunks of one space on one node and embeds several batches concurrently. */
final class SpaceWorker implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SpaceWorker.class);

    private final EmbeddingSpace space;
    private final EmbeddingQueue queue;
    private final BatchEmbedder batches;
    private final ProviderBreaker breaker;
    private final WakeSignal queued;
    private final Limits limits;
    private final Semaphore permits;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Claim> running = ConcurrentHashMap.newKeySet();
    private Optional<WorkLoop> loop = Optional.empty();
    private volatile boolean closing;

    /**
     * The limits of a worker.
     *
     * @param poll the polling interval of the queue
     * @param closeTimeout the time for running batches when the node stops
     */
    record Limits(int batchSize, int concurrency, Duration poll, Duration closeTimeout) {}

    SpaceWorker(
            EmbeddingSpace space,
            EmbeddingQueue queue,
            BatchEmbedder batches,
            ProviderBreaker breaker,
            WakeSignal queued,
            Limits limits) {
        this.space = space;
        this.queue = queue;
        this.batches = batches;
        this.breaker = breaker;
        this.queued = queued;
        this.limits = limits;
        this.permits = new Semaphore(limits.concurrency());
    }

    SpaceWorker start() {
        loop = Optional.of(WorkLoop.whenSignalled(
                "embedding " + space.id(),
                1,
                queued,
                limits.poll(),
                () -> breaker.pause().isZero() && step()));
        return this;
    }

    ProviderBreaker breaker() {
        return breaker;
    }

    /** Returns false if there is nothing to do now. */
    private boolean step() throws InterruptedException {
        if (breaker.state() == ProviderBreaker.State.HALF_OPEN) {
            if (!queue.hasDue(space)) {
                return false;
            }
            batches.probe();
            return true;
        }
        if (!permits.tryAcquire(limits.poll().toNanos(), TimeUnit.NANOSECONDS)) {
            return true;
        }
        boolean started = false;
        try {
            if (closing || breaker.pause().isPositive()) {
                return false;
            }
            var claim = queue.claim(space, limits.batchSize());
            if (claim.isEmpty()) {
                return false;
            }
            running.add(claim.get());
            threads.execute(() -> embed(claim.get()));
            started = true;
            return true;
        } finally {
            if (!started) {
                permits.release();
            }
        }
    }

    private void embed(Claim claim) {
        try {
            batches.embed(claim);
        } catch (Throwable e) {
            // The lease of the claim expires.
            log.warn("A batch for {} failed and will be tried again", space.model(), e);
        } finally {
            running.remove(claim);
            permits.release();
        }
    }

    /** Stops claiming; running batches go on. */
    void stop() {
        closing = true;
        loop.ifPresent(WorkLoop::stop);
    }

    /** Waits for running batches; those not done in time are released. */
    @Override
    public void close() {
        stop();
        loop.ifPresent(WorkLoop::close);
        try {
            threads.shutdown();
            if (!threads.awaitTermination(limits.closeTimeout().toNanos(), TimeUnit.NANOSECONDS)) {
                running.forEach(claim -> queue.release(claim, Duration.ZERO));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
