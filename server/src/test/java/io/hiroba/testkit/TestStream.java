package io.hiroba.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** An event stream that is open and read. */
public final class TestStream implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** A message of the stream. */
    public record Message(String id, String event, String data) {

        public JsonNode json() {
            return Json.mapper().readTree(data);
        }
    }

    private final List<Message> messages = new CopyOnWriteArrayList<>();
    private final Stream<String> lines;
    private volatile boolean ended;

    private TestStream(Stream<String> lines) {
        this.lines = lines;
    }

    static TestStream open(HttpClient client, HttpRequest request) {
        try {
            var response = client.send(request, BodyHandlers.ofLines());
            assertThat(response.statusCode()).isEqualTo(200);
            var stream = new TestStream(response.body());
            Thread.ofVirtual().start(stream::read);
            return stream;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void read() {
        var fields = new HashMap<String, String>();
        try {
            lines.forEach(line -> {
                int colon = line.indexOf(": ");
                if (colon > 0) {
                    fields.put(line.substring(0, colon), line.substring(colon + 2));
                } else if (line.isEmpty() && fields.containsKey("event")) {
                    messages.add(new Message(
                            fields.getOrDefault("id", ""),
                            fields.getOrDefault("event", ""),
                            fields.getOrDefault("data", "")));
                    fields.clear();
                }
            });
        } catch (UncheckedIOException e) {
            // Closed, by either side.
        } finally {
            ended = true;
        }
    }

    /** All that came so far. */
    public List<Message> messages() {
        return List.copyOf(messages);
    }

    public List<Message> messages(String event) {
        return messages.stream()
                .filter(message -> message.event().equals(event))
                .toList();
    }

    /** Waits for the {@code count}-th message of the event. */
    public Message await(String event, int count) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> messages(event), found -> found.size() >= count)
                .get(count - 1);
    }

    public boolean isEnded() {
        return ended;
    }

    public Message await(String event) {
        return await(event, 1);
    }

    @Override
    public void close() {
        lines.close();
    }
}
