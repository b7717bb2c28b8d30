package io.hiroba.agents.model;

import java.util.List;

/** The answer of a model to one call. */
public record ModelTurn(
        String text,
        List<ModelMessage.ToolCall> toolCalls,
        StopReason stopReason,
        long inputTokens,
        long outputTokens) {
    /** Why the model stopped. */
    public enum StopReason {
        END,
        TOOLS,
        LENGTH,
        REFUSED
    }
}
