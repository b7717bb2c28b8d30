package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingWorker.Pace;
import io.hiroba.platform.config.SecretText;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.task.WakeSignal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** A process that does nothing but embed chunks, until it is killed. */
final class EmbeddingNode {

    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final Pace PACE =
            new Pace(Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(400), Duration.ofSeconds(1));

    private EmbeddingNode() {}

    /** Runs on the database, and with the provider, that the arguments name: URL, user, password, base URL. */
    @SuppressWarnings("try") // it works by being open
    public static void main(String... arguments) throws InterruptedException {
        var config = TestEmbedding.config(8, 3, Duration.ofMillis(100), TIMEOUT);
        var clock = Clock.systemUTC();
        var events = new EventLog();
        Map<EmbeddingSpace.Model, EmbeddingProvider> providers = new ConcurrentHashMap<>();
        try (var db = Db.open(DatabaseConfig.of(arguments[0], arguments[1], arguments[2]));
                var lease = new WorkerLease(db, clock, Duration.ofSeconds(30));
                var worker = new EmbeddingWorker(
                                new SpaceSwitch(db, new EmbeddingSpaces(db), events),
                                new EmbeddingQueue(db, lease.ids(), events, config),
                                model -> providers.computeIfAbsent(
                                        model,
                                        wanted -> new OpenAiProvider(
                                                arguments[3], SecretText.of("key"), wanted, TIMEOUT, clock)),
                                config,
                                new WakeSignal(),
                                new SimpleMeterRegistry(),
                                PACE)
                        .start()) {
            new CountDownLatch(1).await();
        }
    }
}
