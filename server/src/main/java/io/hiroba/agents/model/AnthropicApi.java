package io.hiroba.agents.model;

import io.hiroba.agents.model.ModelTurn.StopReason;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Anthropic's messages API. */
record AnthropicApi() implements ModelApi {

    private static final String VERSION = "2023-06-01";

    @Override
    public String path() {
        return "/messages";
    }

    @Override
    public Map<String, String> headers(String key) {
        return key.isEmpty()
                ? Map.of("anthropic-version", VERSION)
                : Map.of("anthropic-version", VERSION, "x-api-key", key);
    }

    @Override
    public JsonNode body(String model, ModelRequest request) {
        var body = JSON.createObjectNode();
        body.put("model", model).put("stream", true).put("max_tokens", request.maxTokens());
        if (!request.system().isEmpty()) {
            body.put("system", request.system());
        }
        var messages = body.putArray("messages");
        for (var message : request.messages()) {
            var content = JSON.createArrayNode();
            write(message, content);
            // A message without content is refused.
            if (!content.isEmpty()) {
                var role = message instanceof ModelMessage.Assistant ? "assistant" : "user";
                messages.addObject().put("role", role).set("content", content);
            }
        }
        if (!request.tools().isEmpty()) {
            var tools = body.putArray("tools");
            for (var tool : request.tools()) {
                tools.addObject()
                        .put("name", tool.name())
                        .put("description", tool.description())
                        .set("input_schema", JSON.readTree(tool.inputSchema()));
            }
        }
        return body;
    }

    private static void write(ModelMessage message, ArrayNode content) {
        switch (message) {
            case ModelMessage.User user -> text(user.text(), content);
            case ModelMessage.Assistant turn -> {
                text(turn.text(), content);
                turn.toolCalls()
                        .forEach(call -> content.addObject()
                                .put("type", "tool_use")
                                .put("id", call.id())
                                .put("name", call.tool())
                                .set("input", JSON.readTree(ModelApi.arguments(call))));
            }
            case ModelMessage.ToolResults answers ->
                answers.results()
                        .forEach(result -> content.addObject()
                                .put("type", "tool_result")
                                .put("tool_use_id", result.callId())
                                .put("content", result.text())
                                .put("is_error", result.failed()));
        }
    }

    private static void text(String text, ArrayNode content) {
        if (!text.isBlank()) {
            content.addObject().put("type", "text").put("text", text);
        }
    }

    @Override
    public PartialTurn begin(ModelRequest request, Consumer<String> onText) {
        return new Message(request, onText);
    }

    private static final class Message extends PartialTurn {

        private final Map<Integer, PartialCall> byIndex = new HashMap<>();

        Message(ModelRequest request, Consumer<String> onText) {
            super(request, onText);
        }

        @Override
        boolean take(JsonNode event) throws ModelFailure {
            switch (event.path("type").asString("")) {
                case "message_start" -> count(event.path("message").path("usage"));
                case "content_block_start" -> begin(event);
                case "content_block_delta" -> take(event, event.path("delta"));
                case "message_delta" -> {
                    count(event.path("usage"));
                    var reason = event.path("delta").path("stop_reason").asString("");
                    if (!reason.isEmpty()) {
                        stop(reason(reason));
                    }
                }
                case "message_stop" -> {
                    return true;
                }
                case "error" -> throw HttpModelClient.reported(event.path("error"));
                // Pings, ends of blocks, and what is added one day.
                default -> {}
            }
            return false;
        }

        private void count(JsonNode usage) {
            inputTokens(usage.path("input_tokens").asLong(0)
                    + usage.path("cache_creation_input_tokens").asLong(0)
                    + usage.path("cache_read_input_tokens").asLong(0));
            outputTokens(usage.path("output_tokens").asLong(0));
        }

        private void begin(JsonNode event) throws ModelFailure {
            var block = event.path("content_block");
            if (block.path("type").asString("").equals("tool_use")) {
                var call = call(block.path("id").asString(""));
                call.name(block.path("name").asString(""));
                byIndex.put(event.path("index").asInt(-1), call);
                if (!block.path("input").isEmpty()) {
                    call.input(block.path("input").toString());
                }
            } else {
                say(block.path("text").asString(""));
            }
        }

        private void take(JsonNode event, JsonNode delta) {
            switch (delta.path("type").asString("")) {
                case "text_delta" -> say(delta.path("text").asString(""));
                case "input_json_delta" -> {
                    var call = byIndex.get(event.path("index").asInt(-1));
                    if (call != null) {
                        call.input(delta.path("partial_json").asString(""));
                    }
                }
                // What it thinks is not what it says.
                default -> {}
            }
        }

        private static StopReason reason(String reason) {
            return switch (reason) {
                case "max_tokens", "model_context_window_exceeded" -> StopReason.LENGTH;
                case "refusal" -> StopReason.REFUSED;
                case "tool_use" -> StopReason.TOOLS;
                default -> StopReason.END;
            };
        }
    }
}
