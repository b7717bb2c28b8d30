package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.model.ModelRequest.ToolDefinition;
import java.util.List;

/** The tools that a model may ask for. */
interface AgentTools {

    /** The definitions of those tools that exist. */
    List<ToolDefinition> definitions(List<String> names);

    /** Uses a tool for an agent and its caller: it reads what both may read. */
    ToolAnswer use(String tool, String input, UserId agent, UserId caller);

    /** The answer of a tool. */
    record ToolAnswer(String text, boolean failed) {}
}
