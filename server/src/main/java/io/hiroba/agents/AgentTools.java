package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.model.ModelRequest.ToolDefinition;
import io.hiroba.mcp.ApiTools.Effect;
import java.util.List;
import java.util.Optional;

/** The tools that a model may ask for. */
interface AgentTools {

    /** The definitions of those tools that exist. */
    List<ToolDefinition> definitions(List<String> names);

    /** Uses a tool that changes nothing for an agent and its caller: it reads what both may read. */
    ToolAnswer use(String tool, String input, UserId agent, UserId caller) throws InterruptedException;

    /** Whether a tool is one of another server: its calls can be interrupted, and no call of it is ever repeated. */
    default boolean isRemote(String tool) {
        return false;
    }

    /** How much a tool changes. */
    default Effect effect(String tool) {
        return Effect.NONE;
    }

    /** Tells what a tool of another server is now apart from what it may be later; empty for one of ours. */
    default String version(String tool) {
        return "";
    }

    /** The arguments as they are kept, shown and sent, one JSON object; none if they are not that. */
    default Optional<String> arguments(String input) {
        return Optional.empty();
    }

    /** As {@link #arguments(String)}, of this tool. */
    default Optional<String> arguments(String tool, String input) {
        return arguments(input);
    }

    /** Finds out whether both might make a change now, without making it. */
    default ToolAnswer check(Change change) {
        return new ToolAnswer("This tool changes nothing.", true);
    }

    /** Makes a change as the agent if the caller might make it as well, once for each key. */
    default ToolAnswer change(Change change) throws InterruptedException {
        return check(change);
    }

    /**
     * A call of a tool that changes something.
     *
     * @param input as {@link #arguments} has it
     * @param key of this call alone
     * @param begun whether it may have been made before
     * @param version of the tool when it was asked for; empty for any
     */
    record Change(String tool, String input, String key, UserId agent, UserId caller, boolean begun, String version) {}

    /**
     * The answer of a tool.
     *
     * @param unknown whether it may have been done although it failed
     */
    record ToolAnswer(String text, boolean failed, boolean unknown) {

        ToolAnswer(String text, boolean failed) {
            this(text, failed, false);
        }
    }
}
