package io.hiroba.platform.events;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog.Appended;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.trace.Tracing;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The event log on this node: its consumers and its retention. */
public final class Events implements AutoCloseable {

    /** The poll of consumers that were woken, while they have events that nobody has handled. */
    private static final Duration BUSY_POLL = Duration.ofMillis(500);

    private final Db db;
    private final EventsConfig config;
    private final InstantSource clock;
    private final MeterRegistry meters;
    private final Tracing tracing;
    private final EventLog log = new EventLog();
    private final WakeSignal look = new WakeSignal();
    private final EventStore store = new EventStore();
    private final Map<String, EventConsumer> consumers = new ConcurrentHashMap<>();

    /** The consumers that were woken. Another node may have claimed their events, and die or fall silent over them. */
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    private final List<WorkLoop> upkeep = new ArrayList<>();
    private long nextFullPoll = System.nanoTime();

    /** Without traces. */
    public Events(Db db, EventsConfig config, InstantSource clock, MeterRegistry meters, CommitSignal commits) {
        this(db, config, clock, meters, commits, Tracing.OFF);
    }

    public Events(
            Db db,
            EventsConfig config,
            InstantSource clock,
            MeterRegistry meters,
            CommitSignal commits,
            Tracing tracing) {
        this.db = db;
        this.config = config;
        this.clock = clock;
        this.meters = meters;
        this.tracing = tracing;
        // Events are appended by the program and by triggers: the database says in which partitions, and of which
        // types.
        db.onNotice(EventLog.APPENDED, keys -> {
            var concerning = Stream.of(keys.split(",", -1))
                    .filter(this::concernsSomebody)
                    .toList();
            if (!concerning.isEmpty()) {
                commits.raise(EventLog.TOPIC, concerning);
            }
        });
        commits.listen(EventLog.TOPIC, this::wake);
        upkeep.add(WorkLoop.whenSignalled("event poll", 1, look, config.poll(), () -> {
            poll();
            return false;
        }));
        upkeep.add(WorkLoop.every(Duration.ofMinutes(10), "event retention", this::sweep));
    }

    public EventLog log() {
        return log;
    }

    /** Starts a consumer, which continues at its stored cursors; a new one starts with the oldest event. */
    public void consume(String name, EventHandler handler) {
        var consumer = new EventConsumer(db, store, name, handler, config, tracing);
        consumers.put(name, consumer);
        Gauge.builder("hiroba.events.lag", consumer, c -> c.lag().toMillis() / 1000.0)
                .description("Age of the oldest event that the consumer has not handled")
                .baseUnit("seconds")
                .tag("consumer", name)
                .register(meters);
    }

    /** How far each consumer is behind, by its name; zero if it has handled everything. */
    public SortedMap<String, Duration> lags() {
        var lags = new TreeMap<String, Duration>();
        consumers.forEach((name, consumer) -> lags.put(name, consumer.lag()));
        return lags;
    }

    /** Whether a consumer is affected, here and so on the other nodes; the others find the events with their poll. */
    private boolean concernsSomebody(String key) {
        return consumers.isEmpty()
                || Appended.parse(key)
                        .allMatch(events -> consumers.values().stream().anyMatch(each -> each.isAffectedBy(events)));
    }

    private void wake(Set<String> keys) {
        if (keys.contains(CommitSignal.ANY)) {
            consumers.values().forEach(consumer -> consumer.wake(PartitionSignal.ALL));
            busy.addAll(consumers.keySet());
        } else {
            var appended = keys.stream()
                    .flatMap(Appended::parse)
                    .filter(events -> PartitionSignal.ALL.contains(events.partition()))
                    .toList();
            consumers.forEach((name, consumer) -> {
                if (consumer.wakeFor(appended)) {
                    busy.add(name);
                }
            });
        }
        look.raiseIn(BUSY_POLL);
    }

    /**
     * Wakes consumers that have events, in one statement: those that were woken for them half a second ago, and now and then
     * all, since a signal may have been lost and most are not woken for what does not concern them.
     */
    private void poll() {
        long now = System.nanoTime();
        boolean full = nextFullPoll - now <= 0;
        var woken = Set.copyOf(busy);
        busy.removeAll(woken);
        var looked = full ? consumers.keySet() : woken;
        if (!looked.isEmpty()) {
            var waiting = db.read(reads -> store.waiting(reads, looked));
            consumers.forEach((name, consumer) -> consumer.wake(waiting.getOrDefault(name, Set.of())));
            woken.stream().filter(waiting::containsKey).forEach(busy::add);
            if (!busy.isEmpty()) {
                look.raiseIn(BUSY_POLL);
            }
        }
        if (full) {
            nextFullPoll = now + config.poll().toNanos();
        }
        look.raiseIn(Duration.ofNanos(Math.max(0, nextFullPoll - System.nanoTime())));
    }

    /** Deletes events past their retention. */
    int sweep() {
        long bound = Ids.lowestAt(clock.instant().minus(config.retention()));
        return RetentionSweep.run(batch -> db.inTransaction(tx -> store.sweep(tx, bound, batch)));
    }

    @Override
    public void close() {
        upkeep.forEach(WorkLoop::close);
        consumers.values().forEach(EventConsumer::close);
    }
}
