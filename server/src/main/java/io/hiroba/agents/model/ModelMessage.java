package io.hiroba.agents.model;

import java.util.List;

/** A message of a conversation with a model. */
public sealed interface ModelMessage {
    /** Text from people, or context that was gathered for the model. */
    record User(String text) implements ModelMessage {}

    /** An earlier turn of the model. */
    record Assistant(String text, List<ToolCall> toolCalls) implements ModelMessage {}

    /** Answers of the tools that the turn before asked for. */
    record ToolResults(List<ToolResult> results) implements ModelMessage {}

    /** A tool that the model asked for; the input is one JSON object, unless the model wrote something else. */
    record ToolCall(String id, String tool, String input) {}

    /** The answer of one tool call. */
    record ToolResult(String callId, String text, boolean failed) {}
}
