package io.hiroba.agents.model;

import com.sun.net.httpserver.HttpExchange;
import io.hiroba.testkit.TestHttpService;
import io.hiroba.testkit.TestHttpService.Asked;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A service of a chat model that answers each call as the script says. JSON is written with single quotes. */
final class ScriptedService implements AutoCloseable {

    private static final long PACE = 10_000_000;

    /** Raised when a caller has gone in the middle of an answer. */
    final CountDownLatch gone = new CountDownLatch(1);

    private final Queue<Answering> script = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final TestHttpService service = TestHttpService.start((asked, exchange) -> {
        var next = script.poll();
        if (next == null) {
            TestHttpService.reply(exchange, 599, "");
        } else {
            next.answer(exchange);
        }
    });

    /** An answer to one call. */
    @FunctionalInterface
    interface Answering {
        void answer(HttpExchange exchange) throws IOException, InterruptedException;
    }

    String url() {
        return service.url() + "/v1";
    }

    ScriptedService then(Answering answering) {
        script.add(answering);
        return this;
    }

    /** Streams these events. */
    ScriptedService thenEvents(String... events) {
        return then(exchange -> events(exchange, events));
    }

    /** Streams these events and then nothing more, without an end. */
    ScriptedService thenSilence(String... events) {
        return then(exchange -> {
            events(exchange, events);
            closed.await();
        });
    }

    /** Answers nothing at all. */
    ScriptedService thenHang() {
        return then(exchange -> closed.await());
    }

    /** Streams this line again and again until the caller has gone. */
    ScriptedService thenForEver(String line) {
        return then(exchange -> {
            begin(exchange);
            try {
                while (closed.getCount() > 0) {
                    write(exchange, line + "\n\n");
                    LockSupport.parkNanos(PACE);
                }
            } catch (IOException e) {
                gone.countDown();
            }
        });
    }

    /** Streams these events and breaks the connection. */
    ScriptedService thenCut(String... events) {
        return then(exchange -> {
            events(exchange, events);
            throw new IOException("cut");
        });
    }

    ScriptedService thenStatus(int status, String retryAfter, String body) {
        return then(exchange -> {
            if (!retryAfter.isEmpty()) {
                exchange.getResponseHeaders().set("Retry-After", retryAfter);
            }
            TestHttpService.reply(exchange, status, body.replace('\'', '"'));
        });
    }

    private static void events(HttpExchange exchange, String... events) throws IOException {
        begin(exchange);
        for (var event : events) {
            write(exchange, "data: " + event.replace('\'', '"') + "\n\n");
        }
    }

    private static void begin(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        write(exchange, ": hello\r\n\r\n");
    }

    private static void write(HttpExchange exchange, String text) throws IOException {
        exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
    }

    List<Asked> asked() {
        return service.asked();
    }

    @Override
    public void close() {
        closed.countDown();
        service.close();
    }
}
