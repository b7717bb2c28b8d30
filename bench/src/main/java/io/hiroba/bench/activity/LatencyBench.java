package io.hiroba.bench.activity;

import io.hiroba.bench.BenchDatabase;
import io.hiroba.platform.db.Update;
import io.hiroba.platform.id.Ids;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The benchmark of the latency from the response to a like to the card event on the author's stream. */
final class LatencyBench {

    private static final int READERS = 4;
    private static final int PACE_MILLIS = 100;
    private static final int WARM_UP = 50;
    private static final int LIKES = 200;

    private static final String TOKEN = """
            INSERT INTO accounts.api_tokens (id, user_id, name, secret_hash)
            VALUES (:user, :user, 'bench', sha256(convert_to(:token, 'UTF8')))
            """;

    private final BenchDatabase database;

    LatencyBench(BenchDatabase database) {
        this.database = database;
    }

    void run() {
        System.err.println("· from a like to the stream");
        prepare();
        try (var app = database.serve("--social.likes-per-hour=0");
                var threads = Executors.newFixedThreadPool(READERS)) {
            var running = IntStream.range(0, READERS)
                    .mapToObj(reader -> threads.submit(() -> watch(app.address(), reader)))
                    .toList();
            var nanos = new ArrayList<Long>();
            for (var each : running) {
                nanos.addAll(each.get());
            }
            nanos.sort(null);
            print("p50", nanos.get(nanos.size() / 2));
            print("p99", nanos.get(nanos.size() * 99 / 100));
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("the likes failed", e);
        }
    }

    private static void print(String name, long nanos) {
        System.out.printf(
                "| from a like's answer to the stream, %d readers, %d likes/s | %s | %.1f ms | |%n",
                READERS, READERS * 1000 / PACE_MILLIS, name, nanos / 1e6);
    }

    /** Inserts a post for each reader, and tokens of readers and likers. */
    private void prepare() {
        database.db().useTransaction(tx -> {
            tx.update("TRUNCATE platform.event_logs, platform.event_log_cursors, activity.notifications CASCADE")
                    .execute();
            for (int reader = 0; reader < READERS; reader++) {
                tx.update("""
                        INSERT INTO social.posts (id, snippet, owned_by, allow_likes, allow_replies)
                        VALUES (:post, '[]', :owner, true, true)
                        """)
                        .bind("post", ActivityData.post(reader))
                        .bind("owner", ActivityData.author(reader))
                        .execute();
                token(tx.update(TOKEN), ActivityData.author(reader));
            }
            for (int n = 0; n < WARM_UP + LIKES; n++) {
                token(tx.update(TOKEN), ActivityData.other(n));
            }
        });
    }

    private static void token(Update insert, long user) {
        insert.bind("user", user).bind("token", token(user)).execute();
    }

    private static String token(long user) {
        return "hrb_" + "%043d".formatted(user);
    }

    /** Returns the latency of each like in nanoseconds. */
    private static List<Long> watch(URI server, int reader) throws IOException, InterruptedException {
        var latencies = new ArrayList<Long>();
        try (var client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build();
                var stream = new CardStream(client, server, token(ActivityData.author(reader)))) {
            long begin = System.nanoTime();
            for (int n = 0; n < WARM_UP + LIKES; n++) {
                long due = begin + TimeUnit.MILLISECONDS.toNanos((long) n * PACE_MILLIS);
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                stream.clear();
                like(client, server, ActivityData.other(n), ActivityData.post(reader));
                long answered = System.nanoTime();
                long arrived = stream.next();
                if (n >= WARM_UP) {
                    latencies.add(Math.max(0, arrived - answered));
                }
            }
        }
        return latencies;
    }

    private static void like(HttpClient client, URI server, long by, long post)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(server.resolve("/api/v1/posts/" + Ids.hex(post) + "/like"))
                .header("Authorization", "Bearer " + token(by))
                .POST(BodyPublishers.noBody())
                .build();
        int status = client.send(request, BodyHandlers.discarding()).statusCode();
        if (status != 204) {
            throw new IllegalStateException("a like was answered with " + status);
        }
    }
}
