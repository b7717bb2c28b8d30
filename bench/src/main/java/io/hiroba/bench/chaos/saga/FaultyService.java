package io.hiroba.bench.chaos.saga;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.json.JsonMapper;

/** The service that all steps call: HTTP on a plain socket, so that it can misbehave in ways that no HTTP server allows. */
final class FaultyService implements AutoCloseable {

    private static final long SLOW = 150;
    private static final String LIMITED = ChaosWorkflow.LIMITED_SERVICE + "/";

    /** The part of a call of the limited service that is counted: far from its timeout, so that its caller still has the permit. */
    private static final long COUNTED = 100;

    private static final long TOO_LONG = ChaosWorkflow.TIMEOUT_MILLIS + 400;

    /** The longest time that a call takes. */
    static final Duration MAX_DELAY = Duration.ofMillis(TOO_LONG * 2);

    private final long seed;
    private final ServiceLog serviceLog;
    private final ServerSocket socket;
    private final CallsUnderWay limited = new CallsUnderWay(ChaosWorkflow.MAX_CONCURRENT);

    private record Request(String method, Map<String, String> headers, String body) {}

    FaultyService(long seed, ServiceLog serviceLog) {
        this.seed = seed;
        this.serviceLog = serviceLog;
        try {
            socket = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("faulty-service").start(this::accept);
    }

    String endpoint() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    String limitedEndpoint() {
        return endpoint() + "/" + ChaosWorkflow.LIMITED_SERVICE;
    }

    /** The calls of the limited service. */
    CallsUnderWay limited() {
        return limited;
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                var connection = socket.accept();
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            var in = new BufferedInputStream(connection.getInputStream());
            while (answer(connection, count(connection, in, read(in)))) {
                // the next request on the same connection
            }
        } catch (IOException e) {
            // The node died, or gave up waiting.
        }
    }

    /** Counts a call of the limited service, and returns it as one of the other. */
    private Request count(Socket connection, InputStream in, Request request) {
        if (!request.method().startsWith(LIMITED)) {
            return request;
        }
        var key = request.headers().getOrDefault("idempotency-key", "none");
        var call = new CallsUnderWay.Connection(connection, in);
        limited.enter(key, call);
        pause(COUNTED);
        limited.leave(key, call);
        return new Request(request.method().substring(LIMITED.length()), request.headers(), request.body());
    }

    private static Request read(InputStream in) throws IOException {
        var first = line(in).split(" ", -1);
        var headers = new HashMap<String, String>();
        for (var line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Request(first[1].substring(1), headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the connection ended");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    /** Returns whether the connection stays open. */
    private boolean answer(Socket to, Request request) throws IOException {
        var key = request.headers().getOrDefault("idempotency-key", "none:0:EXECUTE");
        var steps = key.split(":", -1);
        int attempt = Integer.parseInt(request.headers().getOrDefault("saga-attempt", "1"));
        long number = ChaosSchedule.number(JsonMapper.shared().readTree(request.body()));
        var behaviour =
                ServiceBehaviour.of(seed, number, Integer.parseInt(steps[1]), steps[2].equals("EXECUTE"), attempt);
        serviceLog.recordCall(key, request.method(), "attempt " + attempt + ", " + behaviour);
        switch (behaviour) {
            case GOOD, SLOW, LATE, TWICE, LOST, LYING -> {
                pause(behaviour == ServiceBehaviour.SLOW ? SLOW : 0);
                serviceLog.recordEffect(key, request.method());
                pause(behaviour == ServiceBehaviour.LATE ? TOO_LONG : 0);
            }
            case HANGING -> pause(TOO_LONG);
            case LATER -> {
                pause(TOO_LONG);
                serviceLog.recordEffect(key, request.method());
            }
            case BUSY, DEAF, REFUSING -> {}
        }
        if (behaviour == ServiceBehaviour.TWICE) {
            Thread.startVirtualThread(() -> duplicate(key, request.method()));
        }
        return switch (behaviour) {
            case GOOD, SLOW, LATE, LATER, TWICE -> respond(to, 200, key);
            case BUSY -> respond(to, 503, key);
            case LYING -> respond(to, 500, key);
            case REFUSING -> respond(to, 422, key);
            case DEAF, LOST, HANGING -> false;
        };
    }

    /** Handles a duplicate of the call, as of a network that repeats packets; nobody receives the response. */
    private void duplicate(String key, String method) {
        pause(TOO_LONG);
        serviceLog.recordCall(key, method, "duplicate");
        serviceLog.recordEffect(key, method);
    }

    private static boolean respond(Socket to, int status, String key) throws IOException {
        var body = "{\"key\": \"" + key + "\"}";
        to.getOutputStream()
                .write("HTTP/1.1 %d So\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(status, body.length(), body)
                        .getBytes(StandardCharsets.UTF_8));
        return true;
    }

    private static void pause(long millis) {
        if (millis > 0) {
            LockSupport.parkNanos(millis * 1_000_000);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
