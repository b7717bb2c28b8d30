package io.hiroba.agents.model;

import java.util.List;

/** The answer of a model to one call. */
public record ModelTurn(
        String text,
        List<ModelMessage.ToolCall> toolCalls,
        StopReason stopReason,
        long inputTokens,
        long outputTokens) {
    /** The reason why a model stopped. */
    public enum StopReason {
        END,
        TOOLS,
        LENGTH,
        REFUSED
    }

    /** The tokens that a model is likely to have written this with, and rather too many. */
    public static long estimatedTokens(String text) {
        return TokenEstimate.of(text);
    }
}
