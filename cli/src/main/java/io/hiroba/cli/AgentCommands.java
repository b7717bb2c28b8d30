package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
        name = "agent",
        description = "Agents: members that answer by themselves.",
        subcommands = {
            AgentListCommand.class,
            AgentShowCommand.class,
            AgentCreateCommand.class,
            AgentUpdateCommand.class,
            AgentDeleteCommand.class,
            AgentRunsCommand.class,
            AgentStopCommand.class,
            AgentControlCommand.Pause.class,
            AgentControlCommand.Resume.class,
            AgentStatsCommand.class,
            AgentTriggerCommands.class,
            AgentMemoryCommands.class,
            AgentServerCommands.class
        })
final class AgentCommands extends CommandGroup {

    static final String PATH = "/api/v1/agents";

    private static final Pattern ID = Pattern.compile("[0-9A-Fa-f]{16}");

    /** The agent of this id or nickname. */
    static JsonNode agent(Api api, String typed) {
        return ID.matcher(typed).matches() ? api.get(PATH + "/" + UrlPaths.segment(typed)) : named(api, typed);
    }

    /** The id of the agent of this id or nickname. */
    static String id(Api api, String typed) {
        return ID.matcher(typed).matches()
                ? typed
                : named(api, typed).path("id").asString("");
    }

    private static JsonNode named(Api api, String nickname) {
        var named = PageOptions.all(api, PATH)
                .filter(agent -> agent.path("nickname").asString("").equalsIgnoreCase(nickname))
                .toList();
        if (named.size() != 1) {
            throw Failure.usage(text("agent.no-such", nickname));
        }
        return named.getFirst();
    }
}
