package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.ChaosDatabase;
import io.hiroba.bench.chaos.NodeProcess;
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

/** A handle on an orchestrator process: sends commands and awaits the replies. */
final class SagaNode implements NodeProcess.Listener {

    private static final int TIMEOUT_SECONDS = 5;

    private final CrashPoints crashPoints;
    private final NodeProcess node;
    private final AtomicLong lastRequest = new AtomicLong();
    private final Map<Long, CompletableFuture<Reply>> waiting = new ConcurrentHashMap<>();

    /** The reply to a command; status 0 means that none came and the command may have taken effect. */
    record Reply(int status, String text) {

        static final Reply UNKNOWN = new Reply(0, "");

        boolean isDone() {
            return status == 200;
        }

        boolean isUnknown() {
            return status == 0 || status >= 500;
        }
    }

    SagaNode(ChaosDatabase database, String name, FaultyService service, CrashPoints crashPoints) {
        this.crashPoints = crashPoints;
        var config = database.config();
        this.node = new NodeProcess(
                database,
                name,
                () -> List.of(
                        OrchestratorMain.class.getName(),
                        config.url(),
                        config.user(),
                        config.password(),
                        service.endpoint(),
                        service.limitedEndpoint(),
                        crashPoints.next()),
                this);
    }

    NodeProcess process() {
        return node;
    }

    boolean isReady() {
        return node.address().isPresent();
    }

    Reply send(String verb, JsonNode command) {
        long number = lastRequest.incrementAndGet();
        var answer = new CompletableFuture<Reply>();
        waiting.put(number, answer);
        try {
            node.writeLine(number + " " + verb + " " + command);
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
    public void onLine(String line) {
        if (line.startsWith("= ")) {
            var steps = line.split(" ", 4);
            @Nullable CompletableFuture<Reply> answer = waiting.get(Long.valueOf(steps[1]));
            if (answer != null) {
                answer.complete(new Reply(Integer.parseInt(steps[2]), steps[3]));
            }
        }
    }

    @Override
    public void onExit(int exitCode) {
        waiting.values().forEach(answer -> answer.complete(Reply.UNKNOWN));
        if (crashPoints.recordExit(exitCode)) {
            node.start();
        }
    }
}
