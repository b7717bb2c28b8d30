package io.hiroba.cli;

import picocli.CommandLine.Command;

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
}
