package io.hiroba.bench.activity;

import io.hiroba.App;
import io.hiroba.bench.BenchDatabase;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The benchmark of thousands of open streams: opening them, keeping them open and sending each a card. */
final class StreamsBench {

    private static final int STREAMS = 2000;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int IDLE_SECONDS = 20;

    /** Above all user numbers of other benchmarks. */
    private static final long FIRST = 1L << 60;

    private final BenchDatabase database;

    StreamsBench(BenchDatabase database) {
        this.database = database;
    }

    void run() {
        System.err.printf("· %,d open streams%n", STREAMS);
        prepare();
        try (var app = database.serve()) {
            measure(app);
        } catch (IOException e) {
            throw new IllegalStateException("the streams broke", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void measure(App app) throws IOException, InterruptedException {
        open(app, new CountDownLatch(STREAMS), "opened at first").forEach(RawStream::close);
        var told = new CountDownLatch(STREAMS);
        var streams = open(app, told, "opened again");
        try {
            long cpu = cpuNanos();
            TimeUnit.SECONDS.sleep(IDLE_SECONDS);
            print("kept open", "%.1f %% of a core".formatted((cpuNanos() - cpu) / 1e7 / IDLE_SECONDS));

            cards();
            cpu = cpuNanos();
            long written = System.nanoTime();
            await(told, "card");
            print("a card to each, written by another node", took(written, cpu));
        } finally {
            streams.forEach(RawStream::close);
        }
    }

    /** Opens a stream for each reader and waits until all received their count. */
    private static List<RawStream> open(App app, CountDownLatch told, String work)
            throws IOException, InterruptedException {
        var counted = new CountDownLatch(STREAMS);
        var streams = new ArrayList<RawStream>();
        long cpu = cpuNanos();
        long start = System.nanoTime();
        for (int reader = 0; reader < STREAMS; reader++) {
            streams.add(new RawStream(app.address(), token(FIRST + reader), Map.of("count", counted, "card", told)));
        }
        await(counted, "count");
        print(work + ", each with its count", took(start, cpu));
        return streams;
    }

    private static void await(CountDownLatch latch, String what) throws InterruptedException {
        if (!latch.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    "%d streams have no %s after %s".formatted(latch.getCount(), what, TIMEOUT));
        }
    }

    private static void print(String work, String result) {
        System.out.printf("| %,d streams: %s | ours | %s | |%n", STREAMS, work, result);
    }

    private static String took(long start, long cpuBefore) {
        return "%,d ms, %,d ms of CPU"
                .formatted(
                        Duration.ofNanos(System.nanoTime() - start).toMillis(),
                        Duration.ofNanos(cpuNanos() - cpuBefore).toMillis());
    }

    /** The memory of this process: the server and its clients, without the database. */
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }

    private void prepare() {
        database.db().useTransaction(tx -> {
            tx.update("""
                    INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                    SELECT :first + n, 'stream' || n || '@square.example', 'Reader ' || n, '', false, '[]'
                    FROM generate_series(0, :last) AS n
                    """).bind("first", FIRST).bind("last", STREAMS - 1).execute();
            tx.update("""
                    INSERT INTO accounts.api_tokens (id, user_id, name, secret_hash)
                    SELECT :first + n, :first + n, 'bench',
                           sha256(convert_to('hrb_' || lpad((:first + n)::text, 43, '0'), 'UTF8'))
                    FROM generate_series(0, :last) AS n
                    """).bind("first", FIRST).bind("last", STREAMS - 1).execute();
        });
    }

    private static String token(long user) {
        return "hrb_" + "%043d".formatted(user);
    }

    /** A user follows each reader. */
    private void cards() {
        database.db()
                .useTransaction(tx -> tx.update("""
                INSERT INTO activity.notifications (user_id, slot, term, payload, updated_at)
                SELECT :first + n, 'follow', '2026-01-01',
                       jsonb_build_object(
                           'records', jsonb_build_array(jsonb_build_object(
                               'ts', 1767225600000, 'userId', upper(lpad(to_hex(:first), 16, '0')))),
                           'countUsers', 1),
                       clock_timestamp()
                FROM generate_series(0, :last) AS n
                """)
                        .bind("first", FIRST)
                        .bind("last", STREAMS - 1)
                        .execute());
    }
}
