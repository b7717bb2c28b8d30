package io.hiroba.agents.model;

import io.hiroba.agents.model.ModelMessage.ToolCall;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A way that services of chat models speak: how a call is written, and how its streamed answer is read. */
sealed interface ModelApi permits OpenAiApi, AnthropicApi {

    /** For what services send, which is not held to the API's own rules. */
    JsonMapper JSON = JsonMapper.shared();

    /** The path below the base address. */
    String path();

    /** The headers that carry the key. */
    Map<String, String> headers(String key);

    /** The body of a call of {@code model}, the name that the service knows it by. */
    JsonNode body(String model, ModelRequest request);

    /** The arguments of a call as they were written; none if they are no object, which services do not take back. */
    static String arguments(ToolCall call) {
        try {
            return JSON.readTree(call.input()).isObject() ? call.input() : "{}";
        } catch (JacksonException e) {
            return "{}";
        }
    }

    /** Begins to read an answer; its text is handed on while it comes. */
    PartialTurn begin(ModelRequest request, Consumer<String> onText);
}
