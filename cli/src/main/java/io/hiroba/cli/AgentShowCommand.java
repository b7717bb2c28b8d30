package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "show", description = "Show an agent.")
final class AgentShowCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The agent's id, from the list.")
    private String id = "";

    AgentShowCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(
                api().get(AgentCommands.PATH + "/" + UrlPaths.segment(id)),
                agent -> Description.of(agent)
                        .line(text("column.id"), "id")
                        .line(text("column.nickname"), "nickname")
                        .line(text("column.model"), "model")
                        .line(text("column.state"), AgentListCommand::state)
                        .line(text("column.tools"), AgentShowCommand::tools)
                        .line(text("column.created"), "createdAt")
                        .toString());
    }

    private static String tools(JsonNode agent) {
        return String.join(
                " ", agent.path("tools").valueStream().map(JsonNode::asString).toList());
    }
}
