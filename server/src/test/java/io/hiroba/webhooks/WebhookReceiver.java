package io.hiroba.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.TestHttpService;
import io.hiroba.testkit.TestHttpService.Asked;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** A receiver that answers 200, except as often as it is told otherwise for the events of a key. */
final class WebhookReceiver implements AutoCloseable {

    final Map<String, AtomicInteger> failures = new ConcurrentHashMap<>();
    final AtomicInteger failuresOfFirst = new AtomicInteger();
    final CountDownLatch hanging = new CountDownLatch(1);
    volatile int failWith = 500;
    final TestHttpService service = TestHttpService.start((asked, exchange) -> {
        var body = Json.mapper().readTree(asked.body());
        int first = failuresOfFirst.getAndSet(0);
        if (first > 0) {
            failures.put(body.path("key").asString(), new AtomicInteger(first));
        }
        var left = failures.getOrDefault(body.path("key").asString(), new AtomicInteger());
        if (left.getAndDecrement() <= 0) {
            TestHttpService.reply(exchange, 200, "thanks");
        } else if (failWith == 0) {
            assertThat(hanging.await(20, TimeUnit.SECONDS)).isTrue();
            TestHttpService.reply(exchange, 200, "late");
        } else {
            TestHttpService.reply(exchange, failWith, "no");
        }
    });

    void failFor(String key, int times) {
        failures.put(key, new AtomicInteger(times));
    }

    /** The types of what came for the key, in the order of arrival. */
    List<String> types(String key) {
        return events(key).stream().map(event -> event.path("type").asString()).toList();
    }

    List<JsonNode> events(String key) {
        return service.asked().stream()
                .map(asked -> Json.mapper().readTree(asked.body()))
                .filter(event -> event.path("key").asString().equals(key))
                .toList();
    }

    List<Asked> asked(String key) {
        return service.asked().stream()
                .filter(asked -> asked.body().contains(key))
                .toList();
    }

    /** Waits until these and no others came for the key. */
    void gets(String key, String... types) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(types(key)).containsExactly(types));
    }

    @Override
    public void close() {
        hanging.countDown();
        service.close();
    }
}
