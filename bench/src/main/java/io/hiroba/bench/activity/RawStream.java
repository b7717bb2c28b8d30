package io.hiroba.bench.activity;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** An open stream with a minimal client, which shares the machine with the server. */
final class RawStream implements AutoCloseable {

    private static final String EVENT = "event: ";
    private static final int SMALL = 512;

    private final Socket socket;

    /** @param first the latches to count down at the first event of each name */
    RawStream(URI server, String token, Map<String, CountDownLatch> first) throws IOException {
        socket = new Socket(server.getHost(), server.getPort());
        socket.getOutputStream()
                .write("GET /api/v1/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\n\r\n"
                        .formatted(token)
                        .getBytes(StandardCharsets.US_ASCII));
        var waiting = new HashMap<>(first);
        Thread.ofVirtual().start(() -> read(waiting));
    }

    private void read(Map<String, CountDownLatch> waiting) {
        try (var lines =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), SMALL)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                var latch = line.startsWith(EVENT) ? waiting.remove(line.substring(EVENT.length())) : null;
                if (latch != null) {
                    latch.countDown();
                }
            }
        } catch (IOException e) {
            // Closed: the latches that were not counted down show what is missing.
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
