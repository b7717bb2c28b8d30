package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.Ground;
import io.hiroba.bench.chaos.Node;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A node as those see it who tell it to start sagas and the like. */
final class SagaNode implements Node.Listener {

    private static final int TIMEOUT_SECONDS = 5;

    private final Deaths deaths;
    private final Node node;
    private final AtomicLong asked = new AtomicLong();
    private final Map<Long, CompletableFuture<Reply>> waiting = new ConcurrentHashMap<>();

    /** The answer to an order; a status of 0 means: it was done, or it was not. */
    record Reply(int status, String text) {

        static final Reply UNKNOWN = new Reply(0, "");

        boolean isDone() {
            return status == 200;
        }

        boolean isUnknown() {
            return status == 0 || status >= 500;
        }
    }

    SagaNode(Ground ground, String name, String endpoint, Deaths deaths) {
        this.deaths = deaths;
        var config = ground.config();
        this.node = new Node(
                ground,
                name,
                () -> List.of(
                        Orchestrator.class.getName(),
                        config.url(),
                        config.user(),
                        config.password(),
                        endpoint,
                        deaths.next()),
                this);
    }

    Node process() {
        return node;
    }

    boolean isReady() {
        return node.address().isPresent();
    }

    Reply ask(String verb, JsonNode order) {
        long number = asked.incrementAndGet();
        var answer = new CompletableFuture<Reply>();
        waiting.put(number, answer);
        try {
            node.tell(number + " " + verb + " " + order);
            return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (IOException | ExecutionException | TimeoutException e) {
            return Reply.UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Reply.UNKNOWN;
        } finally {
            waiting.remove(number);
        }
    }

    @Override
    public void heard(String line) {
        if (line.startsWith("= ")) {
            var parts = line.split(" ", 4);
            @Nullable CompletableFuture<Reply> answer = waiting.get(Long.valueOf(parts[1]));
            if (answer != null) {
                answer.complete(new Reply(Integer.parseInt(parts[2]), parts[3]));
            }
        }
    }

    @Override
    public void ended(int exitCode) {
        waiting.values().forEach(answer -> answer.complete(Reply.UNKNOWN));
        deaths.ended(exitCode);
    }
}
