package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.model.ModelRequest.ToolDefinition;
import io.hiroba.agents.remote.RemoteTools;
import io.hiroba.agents.remote.RemoteTools.RemoteAnswer;
import io.hiroba.mcp.ApiTools.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tools of this server and those of others, told apart by their names. A call of another server cannot be rehearsed and has no key: one
 * that was begun before is not made again, and its answer says that it may have been done.
 */
final class CombinedTools implements AgentTools {

    /** An error in the words of a server is quoted, so short that its quotation fits where answers are cut. */
    private static final int MAX_ERROR = 2_000;

    private final ApiAgentTools own;
    private final RemoteTools remote;

    CombinedTools(ApiAgentTools own, RemoteTools remote) {
        this.own = own;
        this.remote = remote;
    }

    @Override
    public List<ToolDefinition> definitions(List<String> names) {
        var all = new ArrayList<>(own.definitions(names));
        all.addAll(remote.definitions(names));
        return all;
    }

    @Override
    public boolean isRemote(String tool) {
        return RemoteTools.isRemote(tool);
    }

    @Override
    public Effect effect(String tool) {
        return isRemote(tool) ? remote.effect(tool) : own.effect(tool);
    }

    @Override
    public String version(String tool) {
        return isRemote(tool) ? remote.version(tool) : "";
    }

    @Override
    public Optional<String> arguments(String input) {
        return own.arguments(input);
    }

    @Override
    public Optional<String> arguments(String tool, String input) {
        return isRemote(tool) ? ApiAgentTools.canonical(input) : own.arguments(input);
    }

    @Override
    public ToolAnswer use(String tool, String input, UserId agent, UserId caller) throws InterruptedException {
        if (!isRemote(tool)) {
            return own.use(tool, input, agent, caller);
        }
        if (remote.effect(tool) != Effect.NONE) {
            return new ToolAnswer("The tool is not allowed, or changes something.", true);
        }
        var arguments = arguments(tool, input);
        return arguments.isPresent()
                ? answer(tool, remote.call(tool, arguments.get()))
                : new ToolAnswer("The arguments must be one JSON object.", true);
    }

    @Override
    public ToolAnswer check(Change change) {
        if (!isRemote(change.tool())) {
            return own.check(change);
        }
        return remote.isUsable(change.tool())
                ? new ToolAnswer("{}", false)
                : new ToolAnswer("The tool is not allowed.", true);
    }

    @Override
    public ToolAnswer change(Change change) throws InterruptedException {
        if (!isRemote(change.tool())) {
            return own.change(change);
        }
        if (change.begun()) {
            return new ToolAnswer(ToolCalls.MAYBE_DONE, true);
        }
        if (!change.version().isEmpty() && !change.version().equals(version(change.tool()))) {
            return new ToolAnswer("It was not done: the tool is not the one that was asked for any more.", true);
        }
        return answer(change.tool(), remote.call(change.tool(), change.input()));
    }

    private static ToolAnswer answer(String tool, RemoteAnswer answer) {
        var text = answer.failed() && answer.isOfServer()
                ? RunContext.data("error", "tool", tool, RunContext.cut(answer.text(), MAX_ERROR))
                : answer.text();
        return new ToolAnswer(text, answer.failed());
    }
}
