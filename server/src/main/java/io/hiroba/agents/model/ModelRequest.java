package io.hiroba.agents.model;

import java.time.Duration;
import java.util.List;

/** One call of a model: its instructions, the conversation so far and the tools that it may ask for. */
public record ModelRequest(
        String model,
        String system,
        List<ModelMessage> messages,
        List<ToolDefinition> tools,
        int maxTokens,
        Duration timeout) {

    /** The tokens that it is likely to have, and rather too many. */
    public long estimatedTokens() {
        return TokenEstimate.of(this);
    }

    /** A tool as models see it; the schema is a JSON Schema as JSON text. */
    public record ToolDefinition(String name, String description, String inputSchema) {}
}
