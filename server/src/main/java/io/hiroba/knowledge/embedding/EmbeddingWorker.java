package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.SpaceWorker.Limits;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * Runs a {@link SpaceWorker} for each space on every node, so that a slow provider delays its own space only. A space
 * that is complete replaces the active one.
 */
public final class EmbeddingWorker implements AutoCloseable {

    private static final Duration SWITCH_INTERVAL = Duration.ofSeconds(1);

    private final SpaceSwitch spaces;
    private final EmbeddingQueue queue;
    private final EmbeddingProviders providers;
    private final MeterRegistry registry;
    private ProviderCalls calls;
    private final EmbeddingConfig config;
    private final EmbeddingMetrics meters;
    private final WakeSignal queued;
    private final Pace pace;
    private final Map<Integer, SpaceWorker> workers = new ConcurrentHashMap<>();
    /** The workers of retired spaces: a call may still be running. */
    private final Queue<SpaceWorker> retired = new ConcurrentLinkedQueue<>();

    /** Raised while a space is being built, which may be complete any time. */
    private final WakeSignal building = new WakeSignal();

    private Optional<WorkLoop> supervisor = Optional.empty();

    /** @param queued raised when chunks were queued */
    public EmbeddingWorker(
            EmbeddingSpaces spaces,
            IdGenerator ids,
            EventLog events,
            EmbeddingProviders providers,
            EmbeddingConfig config,
            WakeSignal queued,
            MeterRegistry meters) {
        this(
                new SpaceSwitch(spaces.db(), spaces, events),
                new EmbeddingQueue(spaces.db(), ids, events, config),
                providers,
                config,
                queued,
                meters,
                Pace.of(config));
    }

    EmbeddingWorker(
            SpaceSwitch spaces,
            EmbeddingQueue queue,
            EmbeddingProviders providers,
            EmbeddingConfig config,
            WakeSignal queued,
            MeterRegistry meters,
            Pace pace) {
        this.spaces = spaces;
        this.queue = queue;
        this.providers = providers;
        this.registry = meters;
        this.calls = new ProviderCalls(providers, meters);
        this.config = config;
        this.meters = new EmbeddingMetrics(meters, queue);
        this.queued = queued;
        this.pace = pace;
    }

    /** Begins a trace for each call of a provider; to be said before it is started. */
    public EmbeddingWorker traced(Tracing tracing) {
        calls = new ProviderCalls(providers, registry, tracing);
        return this;
    }

    /**
     * The intervals of the workers.
     *
     * @param poll the polling interval of the queue
     * @param firstPause the first pause after which an unavailable provider is probed
     * @param maxPause the longest pause
     * @param closeTimeout the time for running batches when the node stops
     */
    record Pace(Duration poll, Duration firstPause, Duration maxPause, Duration closeTimeout) {
        private static final Duration MIN_INTERVAL = Duration.ofMillis(100);

        /** Chunks that are to be retried sooner than usual are looked for as often, and so is an unavailable provider. */
        static Pace of(EmbeddingConfig config) {
            return new Pace(
                    atMost(config.firstRetry(), Duration.ofSeconds(15)),
                    atMost(config.firstRetry(), Duration.ofSeconds(5)),
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(10));
        }

        private static Duration atMost(Duration retry, Duration usual) {
            var shorter = retry.compareTo(usual) < 0 ? retry : usual;
            return shorter.compareTo(MIN_INTERVAL) < 0 ? MIN_INTERVAL : shorter;
        }
    }

    public EmbeddingWorker start() {
        supervisor = Optional.of(WorkLoop.whenSignalled("embedding", 1, building, pace.poll(), () -> {
            supervise();
            return false;
        }));
        return this;
    }

    private void supervise() {
        var unretired = spaces.switchIfComplete();
        if (unretired.stream().anyMatch(space -> space.state() == EmbeddingSpace.State.BUILDING)) {
            building.raiseIn(SWITCH_INTERVAL);
        }
        unretired.forEach(space -> workers.computeIfAbsent(space.id(), id -> worker(space)));
        var ids = unretired.stream().map(EmbeddingSpace::id).collect(Collectors.toSet());
        workers.entrySet().removeIf(entry -> {
            boolean gone = !ids.contains(entry.getKey());
            if (gone) {
                entry.getValue().stop();
                retired.add(entry.getValue());
            }
            return gone;
        });
        calls.unloadOthers(unretired.stream().map(EmbeddingSpace::model).collect(Collectors.toSet()));
    }

    private SpaceWorker worker(EmbeddingSpace space) {
        var breaker = new ProviderBreaker(pace.firstPause(), pace.maxPause(), System::nanoTime);
        meters.watch(space, breaker);
        var limits = new Limits(
                calls.batch(space.model(), config.batch()),
                calls.concurrency(space.model(), config.concurrency()),
                pace.poll(),
                pace.closeTimeout());
        var batches = new BatchEmbedder(space, queue, calls, breaker, meters);
        return new SpaceWorker(space, queue, batches, breaker, queued, limits).start();
    }

    /** The breaker of the provider of a space on this node. */
    Optional<ProviderBreaker> breaker(EmbeddingSpace space) {
        return Optional.ofNullable(workers.get(space.id())).map(SpaceWorker::breaker);
    }

    @Override
    public void close() {
        supervisor.ifPresent(WorkLoop::close);
        workers.values().forEach(SpaceWorker::stop);
        workers.values().forEach(SpaceWorker::close);
        retired.forEach(SpaceWorker::close);
    }
}
