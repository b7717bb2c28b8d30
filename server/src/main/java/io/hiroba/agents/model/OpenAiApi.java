package io.hiroba.agents.model;

import io.hiroba.agents.model.ModelTurn.StopReason;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** OpenAI's chat completions, as Ollama, vLLM, llama.cpp and many services speak them too. */
record OpenAiApi(URI baseUrl) implements ModelApi {

    private static final String END = "[DONE]";

    @Override
    public String path() {
        return "/chat/completions";
    }

    @Override
    public Map<String, String> headers(String key) {
        return key.isEmpty() ? Map.of() : Map.of("Authorization", "Bearer " + key);
    }

    @Override
    public JsonNode body(String model, ModelRequest request) {
        var body = JSON.createObjectNode();
        body.put("model", model).put("stream", true).put(maxTokens(), request.maxTokens());
        body.putObject("stream_options").put("include_usage", true);
        var messages = body.putArray("messages");
        if (!request.system().isEmpty()) {
            messages.addObject().put("role", "system").put("content", request.system());
        }
        request.messages().forEach(message -> write(message, messages));
        if (!request.tools().isEmpty()) {
            var tools = body.putArray("tools");
            for (var tool : request.tools()) {
                tools.addObject()
                        .put("type", "function")
                        .putObject("function")
                        .put("name", tool.name())
                        .put("description", tool.description())
                        .set("parameters", JSON.readTree(tool.inputSchema()));
            }
        }
        return body;
    }

    /** OpenAI itself gave up the name that all others know. */
    private String maxTokens() {
        var host = baseUrl.getHost();
        return host != null && host.endsWith(".openai.com") ? "max_completion_tokens" : "max_tokens";
    }

    private static void write(ModelMessage message, ArrayNode messages) {
        switch (message) {
            case ModelMessage.User user ->
                messages.addObject().put("role", "user").put("content", user.text());
            case ModelMessage.Assistant turn -> write(turn, messages.addObject());
            case ModelMessage.ToolResults answers ->
                answers.results()
                        .forEach(result -> messages.addObject()
                                .put("role", "tool")
                                .put("tool_call_id", result.callId())
                                // There is no mark of failure but the text.
                                .put("content", result.failed() ? "Error: " + result.text() : result.text()));
        }
    }

    private static void write(ModelMessage.Assistant turn, ObjectNode message) {
        message.put("role", "assistant").put("content", turn.text());
        if (!turn.toolCalls().isEmpty()) {
            var calls = message.putArray("tool_calls");
            for (var call : turn.toolCalls()) {
                calls.addObject()
                        .put("id", call.id())
                        .put("type", "function")
                        .putObject("function")
                        .put("name", call.tool())
                        .put("arguments", ModelApi.arguments(call));
            }
        }
    }

    @Override
    public PartialTurn begin(ModelRequest request, Consumer<String> onText) {
        return new Completion(request, onText);
    }

    private static final class Completion extends PartialTurn {

        private final Map<Integer, PartialCall> byIndex = new HashMap<>();

        Completion(ModelRequest request, Consumer<String> onText) {
            super(request, onText);
        }

        @Override
        boolean isEnd(String data) {
            return data.equals(END);
        }

        @Override
        boolean take(JsonNode event) throws ModelFailure {
            if (event.has("error")) {
                throw HttpModelClient.reported(event.path("error"));
            }
            inputTokens(event.path("usage").path("prompt_tokens").asLong(0));
            outputTokens(event.path("usage").path("completion_tokens").asLong(0));
            var choice = event.path("choices").path(0);
            var delta = choice.path("delta");
            say(delta.path("content").asString(""));
            var refusal = delta.path("refusal").asString("");
            if (!refusal.isEmpty()) {
                say(refusal);
                stop(StopReason.REFUSED);
            }
            for (var part : delta.path("tool_calls")) {
                take(part, part.path("id").asString(""));
            }
            var reason = reason(choice.path("finish_reason").asString(""));
            if (reason != null) {
                stop(reason);
            }
            // The tokens come behind the reason, so that it is not the end.
            return false;
        }

        /** A part of a call; services that send calls whole leave the index out, or give each the same. */
        private void take(JsonNode part, String id) throws ModelFailure {
            int index = part.path("index").asInt(calls().size());
            var call = byIndex.get(index);
            if (call == null || !(id.isEmpty() || id.equals(call.id()))) {
                call = call(id);
                byIndex.put(index, call);
            }
            call.name(part.path("function").path("name").asString(""));
            var arguments = part.path("function").path("arguments");
            call.input(arguments.isObject() ? arguments.toString() : arguments.asString(""));
        }

        private static @Nullable StopReason reason(String finish) {
            return switch (finish) {
                case "" -> null;
                case "length" -> StopReason.LENGTH;
                case "content_filter" -> StopReason.REFUSED;
                case "tool_calls", "function_call" -> StopReason.TOOLS;
                default -> StopReason.END;
            };
        }
    }
}
