package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "show", description = "Show an agent.")
final class AgentShowCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The agent's id, from the list, or its nickname.")
    private String id = "";

    AgentShowCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(
                AgentCommands.agent(api(), id),
                agent -> Description.of(agent)
                        .line(text("column.id"), "id")
                        .line(text("column.nickname"), "nickname")
                        .line(text("column.model"), "model")
                        .line(text("column.state"), AgentListCommand::state)
                        .line(text("column.personality"), "personality")
                        .line(text("column.tools"), each -> words(each, "tools"))
                        .line(text("column.wake"), each -> words(each, "wake"))
                        .line(text("column.callers"), AgentShowCommand::callers)
                        .line(text("column.limits"), AgentShowCommand::limits)
                        .line(text("column.created"), "createdAt")
                        .toString());
    }

    private static String words(JsonNode agent, String list) {
        return String.join(
                " ", agent.path(list).valueStream().map(JsonNode::asString).toList());
    }

    private static String callers(JsonNode agent) {
        var callers = words(agent, "callers");
        return callers.isEmpty() ? text("agent.everybody") : callers;
    }

    private static String limits(JsonNode agent) {
        var limits = agent.path("limits");
        return limits.isObject()
                ? text(
                        "agent.limits",
                        limits.path("turns").asString(""),
                        limits.path("seconds").asString(""),
                        orAny(limits.path("dailyTokens")),
                        orAny(limits.path("dailyCost")))
                : "";
    }

    private static String orAny(JsonNode limit) {
        return limit.isNumber() ? limit.asString() : text("agent.any");
    }
}
