package io.hiroba.agents.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a model to one call.
 *
 * @param standIn the model that answered in place of the one that was asked; null if that one did
 */
public record ModelTurn(
        String text,
        List<ModelMessage.ToolCall> toolCalls,
        StopReason stopReason,
        long inputTokens,
        long outputTokens,
        @Nullable StandIn standIn) {

    /** An answer of the model that was asked. */
    public ModelTurn(
            String text,
            List<ModelMessage.ToolCall> toolCalls,
            StopReason stopReason,
            long inputTokens,
            long outputTokens) {
        this(text, toolCalls, stopReason, inputTokens, outputTokens, null);
    }

    /**
     * A model that is asked where another one fails.
     *
     * @param name in the configuration
     * @param model the name that its service knows it by
     */
    public record StandIn(String name, String model) {}

    /** The reason why a model stopped. */
    public enum StopReason {
        END,
        TOOLS,
        LENGTH,
        REFUSED
    }

    ModelTurn by(@Nullable StandIn other) {
        return new ModelTurn(text, toolCalls, stopReason, inputTokens, outputTokens, other);
    }

    /** The tokens that a model is likely to have written this with, and rather too many. */
    public static long estimatedTokens(String text) {
        return TokenEstimate.of(text);
    }
}
