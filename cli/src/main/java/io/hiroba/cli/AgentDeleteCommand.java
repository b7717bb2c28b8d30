package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "delete", description = "Delete an agent with its runs. Its account stays with its posts.")
final class AgentDeleteCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The agent's id, from the list.")
    private String id = "";

    AgentDeleteCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        api().delete(AgentCommands.PATH + "/" + UrlPaths.segment(id));
        answer(CliJson.object("deleted", id), done -> text("agent.deleted", id));
    }
}
