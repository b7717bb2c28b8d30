package io.hiroba.platform.events;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WorkLoop;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The event log on this node: its consumers, its clock and its retention. */
public final class Events implements AutoCloseable {

    private final Db db;
    private final EventsConfig config;
    private final InstantSource clock;
    private final MeterRegistry meters;
    private final CommitSignal commits;
    private final EventLog log;
    private final EventStore store = new EventStore();
    private final List<EventConsumer> consumers = new ArrayList<>();
    private final List<WorkLoop> upkeep = new ArrayList<>();

    public Events(Db db, EventsConfig config, InstantSource clock, MeterRegistry meters, CommitSignal commits) {
        this.db = db;
        this.config = config;
        this.clock = clock;
        this.meters = meters;
        this.commits = commits;
        this.log = new EventLog(commits);
        upkeep.add(WorkLoop.every(Duration.ofSeconds(1), "event clock", () -> db.useTransaction(store::advanceClock)));
        upkeep.add(WorkLoop.every(Duration.ofMinutes(10), "event retention", this::sweep));
    }

    public EventLog log() {
        return log;
    }

    /** Starts a consumer, which continues at its stored cursors; a new one starts with the oldest event. */
    public void consume(String name, EventHandler handler) {
        var consumer = new EventConsumer(db, store, name, handler, config);
        consumers.add(consumer);
        commits.listen(consumer::wake);
        Gauge.builder("hiroba.events.lag", consumer, c -> c.lag().toMillis() / 1000.0)
                .description("Age of the oldest event that the consumer has not handled")
                .baseUnit("seconds")
                .tag("consumer", name)
                .register(meters);
    }

    /** Deletes events past their retention. */
    int sweep() {
        long bound = Ids.lowestAt(clock.instant().minus(config.retention()));
        return RetentionSweep.run(batch -> db.inTransaction(tx -> store.sweep(tx, bound, batch)));
    }

    @Override
    public void close() {
        upkeep.forEach(WorkLoop::close);
        consumers.forEach(EventConsumer::close);
    }
}
