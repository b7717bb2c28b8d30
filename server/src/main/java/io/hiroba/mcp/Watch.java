package io.hiroba.mcp;

import io.hiroba.platform.http.InternalCalls;
import io.hiroba.platform.http.InternalCalls.Answer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A tool that reads something until there is nothing to wait for, or its time is over.
 *
 * @param description what the model is told of it
 * @param stateOf how far what was read has come
 */
record Watch(String description, Function<JsonNode, State> stateOf) {

    /** The argument that says how long it waits. */
    static final String SECONDS = "seconds";

    static final Map<String, Object> SECONDS_SCHEMA = Map.of(
            "type",
            "integer",
            "minimum",
            1,
            "maximum",
            300,
            "default",
            60,
            "description",
            "How long to wait at most; the answer is then what there is.");

    private static final int MAX_SECONDS = 300;
    private static final int DEFAULT_SECONDS = 60;
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Set<String> ENDED = Set.of("COMPLETED", "FAILED", "CANCELLED");
    private static final Set<String> STEPPED = Set.of("DONE", "SKIPPED");
    private static final Set<String> EMBEDDED = Set.of("completed", "partial", "failed");

    private static final Map<String, Watch> BY_TOOL = Map.of(
            "sagas_watch",
            new Watch(
                    "Wait until a saga has ended, needs attention or waits for somebody; the answer is the saga",
                    Watch::saga),
            "knowledge_watch",
            new Watch("Wait until a source is read and can be found; the answer is the source", Watch::source));

    /**
     * A state of what is waited for.
     *
     * @param isOver whether there is nothing to wait for
     */
    record State(boolean isOver, int done, int total, String words) {}

    /** The watch that a tool is; null for others. */
    static @Nullable Watch of(String tool) {
        return BY_TOOL.get(tool);
    }

    private static State saga(JsonNode saga) {
        var status = saga.path("status").asString("");
        var steps = saga.path("steps");
        int done = (int) steps.valueStream()
                .filter(step -> STEPPED.contains(step.path("phase").asString("")))
                .count();
        boolean waits = saga.path("stuck").asBoolean(false)
                || !saga.path("waitingFor").asString("").isEmpty();
        var step = steps.path(saga.path("currentStep").asInt(0)).path("name").asString("");
        boolean isOver = ENDED.contains(status) || waits;
        return new State(isOver, done, steps.size(), isOver || step.isEmpty() ? status : status + ": " + step);
    }

    private static State source(JsonNode source) {
        var status = source.path("status").asString("");
        var progress = source.path("progress");
        return new State(
                EMBEDDED.contains(status),
                progress.path("embedded").asInt(0) + progress.path("dead").asInt(0),
                progress.path("chunks").asInt(0),
                status);
    }

    /** Reads until it is over, and answers what was read last. */
    Answer await(ApiOperation operation, InternalCalls calls, Map<String, Object> arguments, CallProgress progress)
            throws ToolException {
        progress.count();
        var rest = new LinkedHashMap<>(arguments);
        long until = System.nanoTime()
                + Duration.ofSeconds(seconds(rest.remove(SECONDS))).toNanos();
        while (true) {
            var answer = operation.call(calls, rest);
            var read = answer.isSuccess() ? McpTools.read(answer.body()) : null;
            if (read == null) {
                return answer;
            }
            var state = stateOf.apply(read);
            progress.at(state.done(), state.total(), state.words());
            if (state.isOver() || progress.isAbandoned() || System.nanoTime() >= until) {
                return answer;
            }
            try {
                Thread.sleep(INTERVAL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return answer;
            }
        }
    }

    private static int seconds(@Nullable Object given) throws ToolException {
        if (given == null) {
            return DEFAULT_SECONDS;
        }
        if (given instanceof Number number && number.doubleValue() >= 1 && number.doubleValue() <= MAX_SECONDS) {
            return number.intValue();
        }
        throw new ToolException(SECONDS + " must be a number from 1 to " + MAX_SECONDS);
    }
}
