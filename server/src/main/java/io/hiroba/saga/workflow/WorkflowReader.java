package io.hiroba.saga.workflow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads a workflow as it is written down. */
final class WorkflowReader {

    private WorkflowReader() {}

    static Workflow read(String text, int version) {
        var root = new YAMLMapper().readTree(text);
        var steps = new ArrayList<Step>();
        int stage = 0;
        for (var item : root.path("steps")) {
            for (var step : item.has("parallel") ? item.path("parallel") : List.of(item)) {
                steps.add(step(step, steps.size(), stage));
            }
            stage++;
        }
        return new Workflow(root.path("name").asString(), version, steps, duration(root, "totalTimeout"));
    }

    private static Step step(JsonNode node, int index, int stage) {
        var signal = node.path("waitForSignal").asString("");
        var work = signal.isEmpty()
                ? new Step.Call(
                        node.path("service").asString(),
                        node.path("method").asString(),
                        node.has("compensate") ? node.path("compensate").asString() : null,
                        node.has("input") ? new Mapping(node.path("input")) : null,
                        node.has("compensateInput") ? new Mapping(node.path("compensateInput")) : null)
                : new Step.Signal(signal);
        return new Step(index, stage, node.path("name").asString(), work, duration(node, "timeout"), retry(node));
    }

    private static Retry retry(JsonNode step) {
        var node = step.path("retry");
        var interval = duration(node, "initialInterval");
        return new Retry(
                node.path("maxAttempts").asInt(3),
                Retry.Backoff.EXPONENTIAL,
                interval == null ? Duration.ofSeconds(1) : interval,
                Duration.ofMinutes(1),
                0);
    }

    private static @Nullable Duration duration(JsonNode node, String name) {
        return node.has(name) ? Duration.parse("PT" + node.path(name).asString()) : null;
    }
}
