package io.hiroba.saga.workflow;

import io.hiroba.platform.config.Durations;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Writes workflows down. */
final class WorkflowTexts {

    private static final YAMLMapper YAML = new YAMLMapper();

    private WorkflowTexts() {}

    static String yaml(WorkflowDefinition definition) {
        return YAML.writeValueAsString(tree(definition));
    }

    static String json(WorkflowDefinition definition) {
        return tree(definition).toPrettyString();
    }

    private static ObjectNode tree(WorkflowDefinition definition) {
        var root = JsonMapper.shared().createObjectNode();
        root.put("name", definition.name());
        root.put("version", definition.version());
        root.put("enabled", definition.enabled());
        if (definition.totalTimeout() != null) {
            root.put("totalTimeout", Durations.text(definition.totalTimeout()));
        }
        if (definition.maxRunning() != null) {
            root.put("maxRunning", definition.maxRunning());
        }
        for (var attribute : definition.attributes()) {
            root.withObject("/attributes")
                    .putObject(attribute.name())
                    .put("type", attribute.type().name().toLowerCase(Locale.ROOT))
                    .set("value", attribute.value().template());
        }
        if (definition.output() != null) {
            root.set("output", definition.output().template());
        }
        for (var each : definition.payload().fields()) {
            var field = root.withArray("/payload")
                    .addObject()
                    .put("name", each.field().name())
                    .put("label", each.field().label())
                    .put("type", each.field().type().name().toLowerCase(Locale.ROOT))
                    .put("required", each.field().required());
            if (each.initial() != null) {
                field.set("default", each.initial());
            }
        }
        var steps = root.putArray("steps");
        for (var stage : definition.as(1).stages()) {
            if (stage.size() == 1) {
                steps.add(step(stage.getFirst()));
            } else {
                var group = steps.addObject().putArray("parallel");
                stage.forEach(step -> group.add(step(step)));
            }
        }
        return root;
    }

    private static ObjectNode step(Step step) {
        var node = JsonMapper.shared().createObjectNode();
        node.put("name", step.name());
        if (step.timeout() != null && !(step.work() instanceof Step.Approval)) {
            node.put("timeout", Durations.text(step.timeout()));
        }
        if (step.when() != null) {
            node.put("when", step.when().text());
        }
        if (step.output() != null) {
            node.set("output", step.output().template());
        }
        switch (step.work()) {
            case Step.Signal signal -> node.put("waitForSignal", signal.name());
            case Step.Approval approval -> {
                var asked = node.putObject("approval")
                        .put("title", approval.title())
                        .put("text", approval.text())
                        .put("quorum", approval.quorum());
                asked.set("assignees", approval.assignees().template());
                if (step.timeout() != null) {
                    asked.put("deadline", Durations.text(step.timeout()));
                }
            }
            case Step.Timer timer -> node.put(timer.isUntil() ? "until" : "sleep", timer.text());
            case Step.Children children -> {
                node.put("workflow", children.workflow());
                if (children.input() != null) {
                    node.set("input", children.input().template());
                }
                if (children.forEach() != null) {
                    node.set("forEach", children.forEach().template());
                    node.put("maxParallel", children.maxParallel());
                }
            }
            case Step.Continuation next -> {
                var as = node.putObject("continueAsNew").put("workflow", next.workflow());
                if (next.payload() != null) {
                    as.set("payload", next.payload().template());
                }
            }
            case Step.Call call -> {
                node.put("service", call.service()).put("method", call.method()).put("compensate", call.compensate());
                if (call.input() != null) {
                    node.set("input", call.input().template());
                }
                if (call.compensateInput() != null) {
                    node.set("compensateInput", call.compensateInput().template());
                }
                node.putObject("retry")
                        .put("maxAttempts", step.retry().maxAttempts())
                        .put("backoff", step.retry().backoff().name().toLowerCase(Locale.ROOT))
                        .put("initialInterval", Durations.text(step.retry().initialInterval()))
                        .put("maxInterval", Durations.text(step.retry().maxInterval()))
                        .put("jitter", step.retry().jitter());
            }
        }
        return node;
    }
}
