package io.hiroba.bench;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.events.EventsConfig;
import io.hiroba.platform.events.Partitions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** The benchmark of appending to the event log and consuming it, against plain JDBC. */
final class EventsBench {

    private static final int WRITERS = 8;
    private static final int APPENDS = 4_000;
    private static final int BACKLOG = 50_000;

    private final Db db;
    private final EventLog log = new EventLog();
    private final AtomicInteger runs = new AtomicInteger();

    private EventsBench(Db db) {
        this.db = db;
    }

    static void run() {
        try (var database = BenchDatabase.create()) {
            var bench = new EventsBench(database.db());
            new InterleavedBenchmark("append one event a transaction, 8 writers", "events/s")
                    .with("INSERT by hand, no order kept", bench::appendByHand)
                    .with("EventLog.append", bench::append)
                    .run();
            new InterleavedBenchmark("consume 50,000 waiting events, 2 workers", "events/s")
                    .with("cursor loop by hand, one partition a transaction", bench::consumeByHand)
                    .with("Events.consume", bench::consume)
                    .run();
        }
    }

    private double append() {
        return appending(n -> db.useTransaction(tx -> log.append(tx, NewEvent.of(n, "bench"))));
    }

    private double appendByHand() {
        return appending(n -> {
            try (var connection = db.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                try (var insert = connection.prepareStatement("""
                        INSERT INTO platform.event_logs (partition_id, event_id, payload)
                        VALUES (?, nextval('platform.event_ids'), CAST(? AS jsonb))
                        """)) {
                    insert.setShort(1, Partitions.of(n));
                    insert.setString(2, "{\"type\":\"bench\"}");
                    insert.executeUpdate();
                }
                connection.commit();
                connection.setAutoCommit(true);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static double appending(IntConsumer append) {
        long start = System.nanoTime();
        try (var executor = Executors.newFixedThreadPool(WRITERS)) {
            for (int writer = 0; writer < WRITERS; writer++) {
                int first = writer;
                executor.execute(
                        () -> IntStream.range(0, APPENDS / WRITERS).forEach(n -> append.accept(n * WRITERS + first)));
            }
        }
        return APPENDS / ((System.nanoTime() - start) / 1e9);
    }

    private void fill() {
        db.useTransaction(tx -> tx.update("TRUNCATE platform.event_logs, platform.event_log_cursors")
                .execute());
        db.useTransaction(tx -> log.append(
                tx,
                IntStream.range(0, BACKLOG)
                        .mapToObj(n -> NewEvent.of(n, "bench"))
                        .toList()));
    }

    private double consume() {
        fill();
        var left = new CountDownLatch(BACKLOG);
        long start = System.nanoTime();
        var events =
                new Events(db, EventsConfig.DEFAULT, Clock.systemUTC(), new SimpleMeterRegistry(), new CommitSignal());
        try (events) {
            events.consume("bench" + runs.incrementAndGet(), (tx, batch) -> {
                int size = batch.size();
                tx.afterCommit(() -> IntStream.range(0, size).forEach(n -> left.countDown()));
            });
            await(left);
            return BACKLOG / ((System.nanoTime() - start) / 1e9);
        }
    }

    private double consumeByHand() {
        fill();
        var consumer = "hand" + runs.incrementAndGet();
        db.useTransaction(tx -> tx.update("""
                INSERT INTO platform.event_log_cursors (consumer, partition_id)
                SELECT :consumer, generate_series(0, 255)
                """).bind("consumer", consumer).execute());
        long start = System.nanoTime();
        try (var executor = Executors.newFixedThreadPool(2)) {
            for (int worker = 0; worker < 2; worker++) {
                int first = worker;
                executor.execute(() -> IntStream.range(0, 128).forEach(n -> drainByHand(consumer, n * 2 + first)));
            }
        }
        return BACKLOG / ((System.nanoTime() - start) / 1e9);
    }

    private void drainByHand(String consumer, int partition) {
        try (var connection = db.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            long last = 0;
            try (var select = connection.prepareStatement("""
                    SELECT event_id, payload FROM platform.event_logs
                    WHERE partition_id = ? AND event_id > 0 ORDER BY event_id LIMIT 1000
                    """)) {
                select.setInt(1, partition);
                try (var rows = select.executeQuery()) {
                    while (rows.next()) {
                        last = rows.getLong(1);
                        rows.getString(2);
                    }
                }
            }
            try (var update = connection.prepareStatement("""
                    UPDATE platform.event_log_cursors SET last_event_id = ?, updated_at = now()
                    WHERE consumer = ? AND partition_id = ?
                    """)) {
                update.setLong(1, last);
                update.setString(2, consumer);
                update.setInt(3, partition);
                update.executeUpdate();
            }
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
