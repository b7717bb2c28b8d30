package io.hiroba.bench.activity;

import io.hiroba.activity.CardAggregator;
import io.hiroba.bench.InterleavedBenchmark;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.events.EventsConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The benchmark of turning pending events into cards with the consumer of a server, against upserts of the finished rows in
 * plain JDBC, 1,000 a statement.
 */
final class CardsBench {

    private final Db db;
    private final EventLog log = new EventLog();
    private final PlainCardUpserts plain;
    private long handled;

    CardsBench(Db db) {
        this.db = db;
        this.plain = new PlainCardUpserts(db);
    }

    void run() {
        measure(EventBacklog.EACH_A_CARD);
        measure(EventBacklog.SPREAD);
        measure(EventBacklog.CELEBRITY);
    }

    private void measure(EventBacklog backlog) {
        fill(backlog);
        // The baseline writes the rows that the consumer produced.
        consume(2);
        plain.capture();
        new InterleavedBenchmark(backlog.name(), "events/s")
                .inThreeRounds()
                .with("the finished rows by hand, 1,000 an upsert", () -> {
                    reset();
                    return EventBacklog.SIZE / plain.seconds();
                })
                .with("Collector, 1 worker", () -> consume(1))
                .with("Collector, 2 workers", () -> consume(2))
                .with("Collector, 4 workers", () -> consume(4))
                .run();
    }

    /** Appends the pending events after as many handled ones. */
    private void fill(EventBacklog backlog) {
        db.useTransaction(tx -> {
            tx.update("TRUNCATE platform.event_logs").execute();
            log.append(
                    tx,
                    IntStream.range(0, EventBacklog.SIZE)
                            .mapToObj(n -> NewEvent.of(ActivityData.author(n), "handled"))
                            .toList());
            handled = tx.query("SELECT max(event_id) FROM platform.event_logs")
                    .mapTo(Long.class)
                    .one();
            log.append(tx, backlog.events());
        });
    }

    private double consume(int workers) {
        reset();
        var left = new CountDownLatch(EventBacklog.SIZE);
        var collector = new CardAggregator(ZoneOffset.UTC, log, readers -> {});
        var config = new EventsConfig(
                workers,
                EventsConfig.DEFAULT.batchSize(),
                EventsConfig.DEFAULT.poll(),
                EventsConfig.DEFAULT.stall(),
                EventsConfig.DEFAULT.retention());
        long start = System.nanoTime();
        try (var events = new Events(db, config, Clock.systemUTC(), new SimpleMeterRegistry(), new CommitSignal())) {
            events.consume(CardAggregator.CONSUMER, (tx, batch) -> {
                collector.handle(tx, batch);
                int size = batch.size();
                tx.afterCommit(() -> IntStream.range(0, size).forEach(n -> left.countDown()));
            });
            await(left);
            return EventBacklog.SIZE / ((System.nanoTime() - start) / 1e9);
        }
    }

    /** Makes all events pending again and deletes the new cards. */
    private void reset() {
        db.useTransaction(tx -> {
            tx.update("DELETE FROM platform.event_log_cursors").execute();
            tx.update("""
                    INSERT INTO platform.event_log_cursors (consumer, partition_id, last_event_id)
                    SELECT :consumer, generate_series(0, 255), :handled
                    """)
                    .bind("consumer", CardAggregator.CONSUMER)
                    .bind("handled", handled)
                    .execute();
            tx.update("DELETE FROM activity.card_acts WHERE term >= '2026-06'").execute();
            tx.update("DELETE FROM activity.notifications WHERE term >= '2026-06'")
                    .execute();
        });
        plain.vacuum();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(Duration.ofMinutes(5).toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(latch.getCount() + " events are not handled");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
