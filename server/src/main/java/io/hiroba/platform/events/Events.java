package io.hiroba.platform.events;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog.Appended;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The event log on this node: its consumers and its retention. */
public final class Events implements AutoCloseable {

    /** The topic under which the partitions of new events are signalled, with their types. */
    static final String TOPIC = "events";

    /** The poll while there are events that somebody has not handled. */
    private static final Duration BUSY_POLL = Duration.ofMillis(500);

    private final Db db;
    private final EventsConfig config;
    private final InstantSource clock;
    private final MeterRegistry meters;
    private final EventLog log = new EventLog();
    private final WakeSignal look = new WakeSignal();
    private final EventStore store = new EventStore();
    private final Map<String, EventConsumer> consumers = new ConcurrentHashMap<>();
    private final List<WorkLoop> upkeep = new ArrayList<>();

    public Events(Db db, EventsConfig config, InstantSource clock, MeterRegistry meters, CommitSignal commits) {
        this.db = db;
        this.config = config;
        this.clock = clock;
        this.meters = meters;
        // Events are appended by the program and by triggers: the database says in which partitions, and of which
        // types.
        db.onNotice(EventLog.APPENDED, keys -> commits.raise(TOPIC, List.of(keys.split(",", -1))));
        commits.listen(TOPIC, this::wake);
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
        var consumer = new EventConsumer(db, store, name, handler, config);
        consumers.put(name, consumer);
        Gauge.builder("hiroba.events.lag", consumer, c -> c.lag().toMillis() / 1000.0)
                .description("Age of the oldest event that the consumer has not handled")
                .baseUnit("seconds")
                .tag("consumer", name)
                .register(meters);
    }

    private void wake(Set<String> keys) {
        if (keys.contains(CommitSignal.ANY)) {
            consumers.values().forEach(consumer -> consumer.wake(PartitionSignal.ALL));
        } else {
            var appended = keys.stream()
                    .flatMap(Appended::parse)
                    .filter(events -> PartitionSignal.ALL.contains(events.partition()))
                    .toList();
            consumers.values().forEach(consumer -> consumer.wakeFor(appended));
        }
        // Another node may have claimed them, and die or fall silent over them; and some consumers were not woken for
        // them.
        look.raiseIn(BUSY_POLL);
    }

    /** Wakes the consumers that have events, in one statement for all: a signal was lost, or a node died over them. */
    private void poll() {
        if (!consumers.isEmpty()) {
            var waiting = db.read(reads -> store.waiting(reads, consumers.keySet()));
            consumers.forEach((name, consumer) -> consumer.wake(waiting.getOrDefault(name, Set.of())));
            if (!waiting.isEmpty()) {
                look.raiseIn(BUSY_POLL);
            }
        }
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
