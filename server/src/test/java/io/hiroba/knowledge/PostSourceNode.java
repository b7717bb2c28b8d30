package io.hiroba.knowledge;

import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.events.EventsConfig;
import io.hiroba.platform.id.WorkerLease;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process that does nothing but turn posts into knowledge, until it is killed. */
final class PostSourceNode {

    private static final EventsConfig CONFIG =
            new EventsConfig(2, 20, Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofDays(90));

    private PostSourceNode() {}

    /** Runs on the database that the arguments name: URL, user, password. */
    public static void main(String... arguments) throws InterruptedException {
        var clock = Clock.systemUTC();
        try (var db = Db.open(DatabaseConfig.of(arguments[0], arguments[1], arguments[2]));
                var lease = new WorkerLease(db, clock, Duration.ofSeconds(30));
                var events = new Events(db, CONFIG, clock, new SimpleMeterRegistry(), new CommitSignal())) {
            var sync = new PostSourceSync(new SourceWriter(lease.ids(), clock), 100);
            events.consume(PostSourceConsumer.NAME, new PostSourceConsumer(sync));
            new CountDownLatch(1).await();
        }
    }
}
