package io.hiroba.platform.events;

import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** A node that writes down each event it handles and by whom, slowly enough to be killed in the middle. */
public final class EventNode {

    static final String CONSUMER = "effects";
    static final EventsConfig CONFIG =
            new EventsConfig(2, 20, Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofDays(90));

    private EventNode() {}

    public static void main(String[] args) throws InterruptedException {
        var db = Db.open(DatabaseConfig.of(args[0], args[1], args[2]));
        start(db, args[3], Duration.ofMillis(Long.parseLong(args[4])));
        Thread.currentThread().join();
    }

    static Events start(Db db, String name, Duration effort) {
        var events = new Events(db, CONFIG, Clock.systemUTC(), new SimpleMeterRegistry(), new CommitSignal());
        events.consume(CONSUMER, (tx, batch) -> write(tx, name, batch, effort));
        return events;
    }

    private static void write(Tx tx, String node, List<Event> batch, Duration effort) {
        for (var event : batch) {
            tx.update("""
                    INSERT INTO effects (node, partition_id, event_id)
                    SELECT :node, :partition, :id FROM pg_sleep(:seconds)
                    """)
                    .bind("node", node)
                    .bind("partition", event.partition())
                    .bind("id", event.id())
                    .bind("seconds", effort.toMillis() / 1000.0)
                    .execute();
        }
    }
}
