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

/** A service that speaks OpenAI's API for embeddings, and misbehaves in every way until it is told to be calm. */
final class Service implements AutoCloseable {

    /** How long servers wait for an answer. */
    static final Duration CLIENT_TIMEOUT = Duration.ofMillis(1500);

    private static final Duration SLOW = Duration.ofMillis(200);
    private static final Duration TOO_LONG = CLIENT_TIMEOUT.plusMillis(400);

    /** The last seconds of each such while it is away. */
    private static final long CYCLE = Duration.ofSeconds(16).toMillis();

    private static final int SHORTEST_ABSENCE = 2000;
    private static final int MAX_ABSENCE_MS = 6000;

    private final long seed;
    private final SplittableRandom random;
    private final Calls calls;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private final long began = System.nanoTime();
    private volatile boolean calm;

    Service(long seed, Calls calls) {
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

    /** From now on it does what it can. */
    void calm() {
        calm = true;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var texts = texts(exchange.getRequestBody().readAllBytes());
            var manner = manner(texts);
            calls.taken(texts, manner);
            switch (manner) {
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
                case AWAY -> answer(exchange, 503, List.of());
                case REFUSING -> answer(exchange, 400, List.of());
                case LIMITED -> {
                    exchange.getResponseHeaders().set("Retry-After", wait(random()));
                    answer(exchange, 429, List.of());
                }
                case HANGING -> LockSupport.parkNanos(TOO_LONG.toNanos());
                case BROKEN -> {} // closed without a word
            }
        }
    }

    private static List<String> texts(byte[] question) {
        var texts = new ArrayList<String>();
        JsonMapper.shared().readTree(question).path("input").forEach(text -> texts.add(text.asString()));
        return texts;
    }

    private Manner manner(List<String> texts) {
        if (!calm && isAway()) {
            return Manner.AWAY;
        }
        var manner = calm ? Manner.GOOD : any(texts);
        if (!manner.isWilling()) {
            return manner;
        }
        var flaws = texts.stream().map(Flaw::of).toList();
        if (flaws.contains(Flaw.REFUSED)) {
            return Manner.REFUSING;
        }
        return flaws.contains(Flaw.POISON) ? Manner.POISONED : manner;
    }

    /** Who asks for one word wants to know whether anybody is there, and is mostly told. */
    private Manner any(List<String> texts) {
        var chance = random();
        boolean isWord = texts.size() == 1 && !texts.getFirst().contains(" ");
        return isWord && chance.nextInt(5) > 0 ? Manner.GOOD : Manner.any(chance);
    }

    private boolean isAway() {
        long millis = (System.nanoTime() - began) / 1_000_000;
        var cycle = new SplittableRandom(seed + millis / CYCLE);
        return millis % CYCLE > CYCLE - cycle.nextInt(SHORTEST_ABSENCE, MAX_ABSENCE_MS);
    }

    private synchronized SplittableRandom random() {
        return random.split();
    }

    private static String wait(SplittableRandom chance) {
        return "0." + chance.nextInt(1, 10);
    }

    private static List<Map<String, Object>> vectors(List<String> texts) {
        return IntStream.range(0, texts.size())
                .mapToObj(n -> Map.<String, Object>of("index", n, "embedding", Vectors.of(texts.get(n))))
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
