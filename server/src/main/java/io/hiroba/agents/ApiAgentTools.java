package io.hiroba.agents;

import io.hiroba.accounts.Authentication;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.model.ModelRequest.ToolDefinition;
import io.hiroba.mcp.ApiTools;
import io.hiroba.mcp.ApiTools.ToolDescription;
import io.hiroba.mcp.ApiTools.ToolReply;
import io.hiroba.platform.http.InternalCalls;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tools of {@code /mcp} for agents. Each is called as the agent and as its caller, both without the rights of an admin, and the
 * model is told what both answers have in common: the reply is public, and what only one of them may read must not stand in it.
 */
final class ApiAgentTools implements AgentTools {

    /** The fields by which elements of lists are known, in this order. */
    private static final List<String> KEYS = List.of("id", "chunkId", "name", "key");

    private static final long START_TIMEOUT_SECONDS = 30;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Authentication authentication;
    private final CompletableFuture<Function<String, InternalCalls>> server = new CompletableFuture<>();
    private volatile @Nullable ApiTools tools;

    ApiAgentTools(Authentication authentication) {
        this.authentication = authentication;
    }

    /** @param calls makes calls with an authorization; given when the server is built, after the runs of before went on */
    void connect(Function<String, InternalCalls> calls) {
        server.complete(calls);
    }

    /** Read when it is first needed: most servers have no agent with tools. */
    private ApiTools tools() {
        var known = tools;
        if (known == null) {
            known = new ApiTools();
            tools = known;
        }
        return known;
    }

    @Override
    public List<ToolDefinition> definitions(List<String> names) {
        return names.isEmpty()
                ? List.of()
                : names.stream()
                        .flatMap(name -> tools().describe(name).stream())
                        .filter(ToolDescription::isRead)
                        .map(tool -> new ToolDefinition(tool.name(), tool.description(), tool.inputSchema()))
                        .toList();
    }

    @Override
    public ToolAnswer use(String tool, String input, UserId agent, UserId caller) {
        var description = tools().describe(tool);
        if (description.isEmpty()) {
            return new ToolAnswer("There is no such tool.", true);
        }
        if (!description.get().isRead()) {
            return new ToolAnswer(
                    "This changes something, which takes a person. Say what should be done instead.", true);
        }
        var arguments = arguments(input);
        if (arguments == null) {
            return new ToolAnswer("The arguments must be one JSON object.", true);
        }
        var asAgent = call(tool, arguments, agent);
        if (asAgent.failed()) {
            return new ToolAnswer(asAgent.text(), true);
        }
        var asCaller = call(tool, arguments, caller);
        if (asCaller.failed()) {
            return new ToolAnswer(asCaller.text(), true);
        }
        return new ToolAnswer(inCommon(asAgent.text(), asCaller.text()), false);
    }

    private ToolReply call(String tool, Map<String, Object> arguments, UserId user) {
        var calls =
                server.copy().orTimeout(START_TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
        return authentication.as(
                Librarian.member(user), authorization -> tools().call(calls.apply(authorization), tool, arguments));
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Map<String, Object> arguments(String input) {
        try {
            var node = input.isBlank() ? JSON.createObjectNode() : JSON.readTree(input);
            return node.isObject() ? JSON.convertValue(node, Map.class) : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    /** The part that two answers in JSON have in common, as JSON. */
    static String inCommon(String one, String other) {
        if (one.equals(other)) {
            return one.isEmpty() ? "{}" : one;
        }
        try {
            var common = inCommon(JSON.readTree(one), JSON.readTree(other));
            return common == null ? "{}" : common.toString();
        } catch (JacksonException notJson) {
            return "{}";
        }
    }

    private static @Nullable JsonNode inCommon(JsonNode one, JsonNode other) {
        if (one.equals(other)) {
            return one;
        }
        if (one.isObject() && other.isObject()) {
            return objects(one, other);
        }
        return one.isArray() && other.isArray() ? arrays(one, other) : null;
    }

    private static ObjectNode objects(JsonNode one, JsonNode other) {
        var common = JSON.createObjectNode();
        for (var field : one.properties()) {
            if (other.has(field.getKey())) {
                var value = inCommon(field.getValue(), other.path(field.getKey()));
                if (value != null) {
                    common.set(field.getKey(), value);
                }
            }
        }
        return common;
    }

    private static ArrayNode arrays(JsonNode one, JsonNode other) {
        var common = JSON.createArrayNode();
        for (var element : one) {
            for (var candidate : other) {
                if (isSame(element, candidate)) {
                    var value = inCommon(element, candidate);
                    if (value != null) {
                        common.add(value);
                    }
                    break;
                }
            }
        }
        return common;
    }

    private static boolean isSame(JsonNode one, JsonNode other) {
        for (var key : KEYS) {
            if (one.has(key) && other.has(key)) {
                return one.path(key).equals(other.path(key));
            }
        }
        return one.equals(other);
    }
}
