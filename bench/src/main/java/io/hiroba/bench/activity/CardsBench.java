package io.hiroba.bench.activity;

import io.hiroba.activity.CardAggregator;
import io.hiroba.bench.Contest;
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
 * Waiting events that become cards, by the consumer that servers run, against rows that are finished already and are only
 * written: 1,000 an upsert, by hand, into the same tables.
 */
final class CardsBench {

    private final Db db;
    private final EventLog log = new EventLog(new CommitSignal());
    private final UpsertsByHand byHand;
    private long handled;

    CardsBench(Db db) {
        this.db = db;
        this.byHand = new UpsertsByHand(db);
    }

    void run() {
        contest(Load.EACH_A_CARD);
        contest(Load.SPREAD);
        contest(Load.CELEBRITY);
    }

    private void contest(Load load) {
        fill(load);
        // What the collector makes of them is what is written by hand.
        consume(2);
        byHand.take();
        new Contest(load.name(), "events/s")
                .inThreeRounds()
                .with("the finished rows by hand, 1,000 an upsert", () -> {
                    reset();
                    return Load.SIZE / byHand.seconds();
                })
                .with("Collector, 1 worker", () -> consume(1))
                .with("Collector, 2 workers", () -> consume(2))
                .with("Collector, 4 workers", () -> consume(4))
                .run();
    }

    /** Behind as many events of everybody that have been handled long since. */
    private void fill(Load load) {
        db.useTransaction(tx -> {
            tx.update("TRUNCATE platform.event_logs").execute();
            log.append(
                    tx,
                    IntStream.range(0, Load.SIZE)
                            .mapToObj(n -> NewEvent.of(Crowd.author(n), "handled"))
                            .toList());
            handled = tx.query("SELECT max(event_id) FROM platform.event_logs")
                    .mapTo(Long.class)
                    .one();
            log.append(tx, load.events());
        });
    }

    private double consume(int workers) {
        reset();
        var left = new CountDownLatch(Load.SIZE);
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
            return Load.SIZE / ((System.nanoTime() - start) / 1e9);
        }
    }

    /** All events wait again, and only the old cards are there. */
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
        byHand.vacuum();
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
