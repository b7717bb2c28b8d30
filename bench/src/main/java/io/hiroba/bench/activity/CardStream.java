package io.hiroba.bench.activity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** An open stream of a reader that records when card events arrive. */
final class CardStream implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final BlockingQueue<Long> arrivals = new LinkedBlockingQueue<>();
    private final Stream<String> lines;

    CardStream(HttpClient client, URI server, String token) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(server.resolve("/api/v1/stream"))
                .header("Authorization", "Bearer " + token)
                .header("Accept", "text/event-stream")
                .build();
        var response = client.send(request, BodyHandlers.ofLines());
        if (response.statusCode() != 200) {
            throw new IllegalStateException("the stream answers " + response.statusCode());
        }
        lines = response.body();
        Thread.ofVirtual().start(this::listen);
    }

    private void listen() {
        try {
            lines.filter(line -> line.strip().equals("event: card")).forEach(line -> arrivals.add(System.nanoTime()));
        } catch (UncheckedIOException e) {
            // The stream was closed; next() reports a missing card.
        }
    }

    void clear() {
        arrivals.clear();
    }

    /** The {@link System#nanoTime} at which the next card event arrived. */
    long next() throws InterruptedException {
        var at = arrivals.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        if (at == null) {
            throw new IllegalStateException("no card came in " + TIMEOUT);
        }
        return at;
    }

    @Override
    public void close() {
        lines.close();
    }
}
