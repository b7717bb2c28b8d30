package io.hiroba.mcp;

import io.hiroba.platform.http.Contract;
import io.hiroba.platform.http.InternalCalls;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** The tools of the Model Context Protocol for those who use them within the process. */
public final class ApiTools {

    private final Map<String, McpTools.Named> byName;

    /** Reads the OpenAPI document, which takes longer than a request. */
    public ApiTools() {
        byName = McpTools.all(Contract.shared()).stream()
                .filter(tool -> McpTools.names().contains(tool.name()))
                .collect(Collectors.toUnmodifiableMap(McpTools.Named::name, Function.identity()));
    }

    /** The names of all tools, but for those that wait. */
    public static Set<String> names() {
        return McpTools.names();
    }

    /** Whether a tool changes something of the caller's alone: no agent is given it. */
    public static boolean isOwn(String name) {
        return McpTools.isOwn(name);
    }

    /** The extent to which a tool changes something. */
    public enum Effect {
        NONE,
        /** It adds something of one's own, such as a post. */
        SMALL,
        /** Anything else. */
        LARGE,
        /** Something of the caller's alone, such as an item of the inbox. */
        OWN
    }

    /** The argument by which a call is repeated without a second effect. */
    public static final String KEY = "idempotencyKey";

    /**
     * A tool as models see it.
     *
     * @param inputSchema a JSON Schema as JSON, without {@link #KEY}
     * @param takesKey whether a call with the same {@link #KEY} has no second effect
     */
    public record ToolDescription(
            String name, String description, String inputSchema, Effect effect, boolean takesKey) {

        public boolean isRead() {
            return effect == Effect.NONE;
        }
    }

    /** The tool of this name, if there is one. */
    public Optional<ToolDescription> describe(String name) {
        return Optional.ofNullable(byName.get(name)).map(tool -> {
            var operation = tool.operation();
            var schema = new LinkedHashMap<String, Object>();
            schema.put("type", "object");
            var properties = new LinkedHashMap<>(operation.properties());
            boolean takesKey = properties.remove(KEY) != null;
            schema.put("properties", properties);
            schema.put("required", operation.required());
            schema.put("additionalProperties", false);
            var definitions = operation.definitions();
            if (!definitions.isEmpty()) {
                schema.put("$defs", definitions);
            }
            return new ToolDescription(
                    name, operation.summary(), JsonMapper.shared().writeValueAsString(schema), tool.effect(), takesKey);
        });
    }

    /**
     * The answer of a tool: JSON, or what is wrong with the call.
     *
     * @param replayed whether it is that of an earlier call with the same key
     * @param unknown whether it may have been done all the same, or is being done
     */
    public record ToolReply(String text, boolean failed, boolean replayed, boolean unknown) {

        private static ToolReply of(ApiOperation operation, InternalCalls.Answer answer) {
            if (answer.isSuccess()) {
                return new ToolReply(answer.body(), false, answer.header("Idempotency-Replayed") != null, false);
            }
            var problem = McpTools.problem(answer);
            boolean busy = answer.status() == 409 && problem.contains("idempotency");
            return new ToolReply(operation.inArguments(problem), true, false, busy || answer.status() >= 500);
        }
    }

    /** Calls a tool that there is. */
    public ToolReply call(InternalCalls calls, String name, Map<String, Object> arguments) {
        var tool = byName.get(name);
        if (tool == null) {
            throw new IllegalArgumentException("no tool " + name);
        }
        try {
            return ToolReply.of(tool.operation(), tool.operation().call(calls, arguments));
        } catch (ToolException e) {
            return new ToolReply(String.valueOf(e.getMessage()), true, false, false);
        }
    }
}
