package io.hiroba.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventStreamsTest {

    private final EventStreams streams = new EventStreams(2, Duration.ofMillis(100), Duration.ofMinutes(1));
    private final List<EventStream> begun = new CopyOnWriteArrayList<>();
    private final AtomicInteger over = new AtomicInteger();
    private final LiveServer server = LiveServer.with(routes -> routes.get(
            "/stream/{caller}",
            ctx -> streams.serve(ctx, ctx.pathParam("caller"), stream -> {
                begun.add(stream);
                return over::incrementAndGet;
            })));

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void whatIsSentArrivesAtOnceWithItsIdAndItsLines() throws IOException {
        try (var reader = open("ann")) {
            begun.getFirst().send("7", "post", "one\ntwo");
            reader.readUntil("data: two");
            assertThat(reader.read).contains("retry: 2000", "id: 7", "event: post", "data: one");
            assertThat(reader.read).contains("Content-Type: text/event-stream; charset=utf-8");
        }
    }

    @Test
    void aSilentStreamStaysAliveAndOneThatWasLeftIsFoundOut() throws IOException {
        try (var reader = open("ann")) {
            reader.readUntil(":");
        }
        Awaitility.await().until(() -> over.get() == 1 && streams.count() == 0);
    }

    @Test
    void oneStreamTooManyEndsTheOldestOfThatCallerOnlyAndTellsItNotToComeBack() throws IOException {
        try (var oldest = open("ann");
                var other = open("ben");
                var second = open("ann");
                var third = open("ann")) {
            oldest.readToTheEnd();
            assertThat(oldest.read).contains("event: full");
            second.readUntil(":");
            third.readUntil(":");
            other.readUntil(":");
            assertThat(streams.count()).isEqualTo(3);
        }
    }

    @Test
    void aReaderWhoTakesNothingIsCutOffInsteadOfFillingTheMemory() throws IOException {
        try (var reader = open("ann")) {
            var large = "x".repeat(100_000);
            for (int i = 0; i < 1000; i++) {
                begun.getFirst().send("1", "large", large);
            }
            reader.readToTheEnd();
            assertThat(reader.read.stream().filter("event: large"::equals).count())
                    .isLessThan(1000);
        }
    }

    @Test
    void aFewLargeMessagesDoNotFillTheMemoryEither() throws IOException {
        try (var reader = open("ann")) {
            var large = "x".repeat(1_000_000);
            for (int i = 0; i < 100; i++) {
                begun.getFirst().send("1", "large", large);
            }
            reader.readToTheEnd();
            assertThat(reader.read.stream().filter("event: large"::equals).count())
                    .isLessThan(100);
        }
    }

    @Test
    void aServerThatStopsEndsItsStreamsInsteadOfWaitingForThem() throws IOException {
        server.server.drain().onBegin(streams::end);
        try (var reader = open("ann")) {
            server.server.close();
            reader.readToTheEnd();
            assertThat(reader.read).doesNotContain("event: full");
            assertThat(over).hasValue(1);
        }
    }

    private Reader open(String caller) throws IOException {
        int before = begun.size();
        var reader = new Reader(caller);
        Awaitility.await().until(() -> begun.size() == before + 1);
        return reader;
    }

    /** A client that reads no more than it is asked to, unlike those of libraries. */
    private final class Reader implements AutoCloseable {

        private final Socket socket;
        private final BufferedReader lines;
        private final List<String> read = new CopyOnWriteArrayList<>();

        Reader(String caller) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port());
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET /stream/%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .formatted(caller)
                            .getBytes(StandardCharsets.US_ASCII));
            lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        void readUntil(String line) {
            while (!next().equals(line)) {}
        }

        void readToTheEnd() throws IOException {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                read.add(line);
            }
        }

        private String next() {
            try {
                var line = lines.readLine();
                assertThat(line).as("more after %s", read).isNotNull();
                read.add(line);
                return line;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
