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
        byName = McpTools.all(new Contract()).stream()
                .collect(Collectors.toUnmodifiableMap(McpTools.Named::name, Function.identity()));
    }

    /** The names of all tools. */
    public static Set<String> names() {
        return McpTools.names();
    }

    /**
     * A tool as models see it.
     *
     * @param inputSchema a JSON Schema as JSON
     * @param isRead whether it changes nothing
     */
    public record ToolDescription(String name, String description, String inputSchema, boolean isRead) {}

    /** The tool of this name, if there is one. */
    public Optional<ToolDescription> describe(String name) {
        return Optional.ofNullable(byName.get(name)).map(tool -> {
            var operation = tool.operation();
            var schema = new LinkedHashMap<String, Object>();
            schema.put("type", "object");
            schema.put("properties", operation.properties());
            schema.put("required", operation.required());
            schema.put("additionalProperties", false);
            var definitions = operation.definitions();
            if (!definitions.isEmpty()) {
                schema.put("$defs", definitions);
            }
            return new ToolDescription(
                    name, operation.summary(), JsonMapper.shared().writeValueAsString(schema), operation.isRead());
        });
    }

    /** The answer of a tool: JSON, or what is wrong with the call. */
    public record ToolReply(String text, boolean failed) {}

    /** Calls a tool that there is. */
    public ToolReply call(InternalCalls calls, String name, Map<String, Object> arguments) {
        var tool = byName.get(name);
        if (tool == null) {
            throw new IllegalArgumentException("no tool " + name);
        }
        try {
            var answer = tool.operation().call(calls, arguments);
            return answer.isSuccess()
                    ? new ToolReply(answer.body(), false)
                    : new ToolReply(McpTools.problem(answer), true);
        } catch (ToolException e) {
            return new ToolReply(String.valueOf(e.getMessage()), true);
        }
    }
}
