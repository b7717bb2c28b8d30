package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.Lane.Limits;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * Embeds chunks, on every node, in a lane of its own for each space: a provider that is away or slow holds up nobody but
 * those who wait for it. When a space that was being built is complete, it takes the place of the one that is searched.
 */
public final class EmbeddingWorker implements AutoCloseable {

    private final SpaceSwitch spaces;
    private final EmbeddingQueue queue;
    private final VectorCalls calls;
    private final EmbeddingConfig config;
    private final EmbeddingMeters meters;
    private final WakeSignal signal;
    private final Pace pace;
    private final Map<Integer, Lane> lanes = new ConcurrentHashMap<>();
    /** Those of spaces that were given up: a call of theirs may still be under way. */
    private final Queue<Lane> leaving = new ConcurrentLinkedQueue<>();

    private Optional<WorkLoop> supervision = Optional.empty();

    public EmbeddingWorker(
            SpaceSwitch spaces,
            EmbeddingQueue queue,
            Providers providers,
            EmbeddingConfig config,
            WakeSignal signal,
            MeterRegistry meters) {
        this(spaces, queue, providers, config, signal, meters, Pace.DEFAULT);
    }

    EmbeddingWorker(
            SpaceSwitch spaces,
            EmbeddingQueue queue,
            Providers providers,
            EmbeddingConfig config,
            WakeSignal signal,
            MeterRegistry meters,
            Pace pace) {
        this.spaces = spaces;
        this.queue = queue;
        this.calls = new VectorCalls(providers, meters);
        this.config = config;
        this.meters = new EmbeddingMeters(meters, queue);
        this.signal = signal;
        this.pace = pace;
    }

    /**
     * How often the queue is looked at, how long a provider that is away is left alone, and how long what is under way may
     * go on after the end.
     */
    record Pace(Duration poll, Duration firstRest, Duration longestRest, Duration patience) {
        static final Pace DEFAULT =
                new Pace(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofSeconds(10));
    }

    public EmbeddingWorker start() {
        supervision = Optional.of(WorkLoop.every(pace.poll(), "embedding", this::supervise));
        return this;
    }

    private void supervise() {
        var living = spaces.look();
        living.forEach(space -> lanes.computeIfAbsent(space.id(), id -> lane(space)));
        var ids = living.stream().map(Space::id).collect(Collectors.toSet());
        lanes.entrySet().removeIf(entry -> {
            boolean gone = !ids.contains(entry.getKey());
            if (gone) {
                entry.getValue().stop();
                leaving.add(entry.getValue());
            }
            return gone;
        });
    }

    private Lane lane(Space space) {
        var breaker = new Breaker(pace.firstRest(), pace.longestRest(), System::nanoTime);
        meters.watch(space, breaker);
        var limits = new Limits(
                calls.batch(space.model(), config.batch()),
                calls.atOnce(space.model(), config.concurrency()),
                pace.poll(),
                pace.patience());
        var batches = new Batches(space, queue, calls, breaker, meters);
        return new Lane(space, queue, batches, breaker, signal, limits).start();
    }

    /** How this node stands with the provider of a space, if it works for it. */
    Optional<Breaker> breaker(Space space) {
        return Optional.ofNullable(lanes.get(space.id())).map(Lane::breaker);
    }

    @Override
    public void close() {
        supervision.ifPresent(WorkLoop::close);
        lanes.values().forEach(Lane::stop);
        lanes.values().forEach(Lane::close);
        leaving.forEach(Lane::close);
    }
}
