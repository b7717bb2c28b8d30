package io.hiroba.bench.chaos.knowledge;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hiroba.platform.http.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;

/** A service with OpenAI's embeddings API that injects faults until they are stopped. */
final class FaultyEmbeddingService implements AutoCloseable {

    /** The timeout of the servers. */
    static final Duration CLIENT_TIMEOUT = Duration.ofMillis(1500);

    private static final Duration SLOW = Duration.ofMillis(200);
    private static final Duration TOO_LONG = CLIENT_TIMEOUT.plusMillis(400);

    /** The service has an outage at the end of each cycle. */
    private static final long OUTAGE_CYCLE = Duration.ofSeconds(16).toMillis();

    private static final int MIN_OUTAGE_MS = 2000;
    private static final int MAX_OUTAGE_MS = 6000;

    private final long seed;
    private final SplittableRandom random;
    private final EmbeddingCalls calls;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private final long began = System.nanoTime();
    private volatile boolean faultsStopped;

    FaultyEmbeddingService(long seed, EmbeddingCalls calls) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.calls = calls;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
    }

    void stopFaults() {
        faultsStopped = true;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var texts = texts(exchange.getRequestBody().readAllBytes());
            var behaviour = behaviour(texts);
            calls.record(texts, behaviour);
            switch (behaviour) {
                case GOOD -> answer(exchange, 200, vectors(texts));
                case SLOW -> {
                    LockSupport.parkNanos(SLOW.toNanos());
                    answer(exchange, 200, vectors(texts));
                }
                case LATE -> {
                    LockSupport.parkNanos(TOO_LONG.toNanos());
                    answer(exchange, 200, vectors(texts));
                }
                case LYING -> answer(exchange, 200, vectors(texts.subList(1, texts.size())));
                case FAILING, POISONED -> answer(exchange, 500, List.of());
                case UNAVAILABLE -> answer(exchange, 503, List.of());
                case REFUSING -> answer(exchange, 400, List.of());
                case LIMITED -> {
                    exchange.getResponseHeaders().set("Retry-After", retryAfter(random()));
                    answer(exchange, 429, List.of());
                }
                case HANGING -> LockSupport.parkNanos(TOO_LONG.toNanos());
                case BROKEN -> {} // closed without a response
            }
        }
    }

    private static List<String> texts(byte[] request) {
        var texts = new ArrayList<String>();
        JsonMapper.shared().readTree(request).path("input").forEach(text -> texts.add(content(text.asString())));
        return texts;
    }

    /** The text without the title and the place that stand above it. */
    private static String content(String text) {
        return text.replaceFirst("\\A[^\n]+\n[^\n]+\n\n", "");
    }

    private EmbeddingBehaviour behaviour(List<String> texts) {
        if (!faultsStopped && isUnavailable()) {
            return EmbeddingBehaviour.UNAVAILABLE;
        }
        var behaviour = faultsStopped ? EmbeddingBehaviour.GOOD : any(texts);
        if (!behaviour.embeds()) {
            return behaviour;
        }
        var defects = texts.stream().map(TextDefect::of).toList();
        if (defects.contains(TextDefect.REFUSED)) {
            return EmbeddingBehaviour.REFUSING;
        }
        return defects.contains(TextDefect.POISON) ? EmbeddingBehaviour.POISONED : behaviour;
    }

    /** A single word is a health probe of the circuit breaker, which mostly succeeds. */
    private EmbeddingBehaviour any(List<String> texts) {
        var chance = random();
        boolean isProbe = texts.size() == 1 && !texts.getFirst().contains(" ");
        return isProbe && chance.nextInt(5) > 0 ? EmbeddingBehaviour.GOOD : EmbeddingBehaviour.any(chance);
    }

    private boolean isUnavailable() {
        long millis = (System.nanoTime() - began) / 1_000_000;
        var cycle = new SplittableRandom(seed + millis / OUTAGE_CYCLE);
        return millis % OUTAGE_CYCLE > OUTAGE_CYCLE - cycle.nextInt(MIN_OUTAGE_MS, MAX_OUTAGE_MS);
    }

    private synchronized SplittableRandom random() {
        return random.split();
    }

    private static String retryAfter(SplittableRandom chance) {
        return "0." + chance.nextInt(1, 10);
    }

    private static List<Map<String, Object>> vectors(List<String> texts) {
        return IntStream.range(0, texts.size())
                .mapToObj(n -> Map.<String, Object>of("index", n, "embedding", TextVectors.of(texts.get(n))))
                .toList();
    }

    private static void answer(HttpExchange exchange, int status, List<Map<String, Object>> vectors)
            throws IOException {
        var body = Json.bytes(Map.of("data", vectors));
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
