package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(name = "list", description = "List agents, newest first.")
final class AgentListCommand extends RemoteCommand {

    @Mixin
    private final PageOptions page = new PageOptions();

    AgentListCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = page.get(api(), AgentCommands.PATH);
        answer(
                found,
                agents -> new Table()
                        .column(text("column.id"), "id")
                        .column(text("column.nickname"), "nickname")
                        .column(text("column.model"), "model")
                        .column(text("column.state"), AgentListCommand::state)
                        .render(agents.path("items")));
        noteNext(found);
    }

    static String state(JsonNode agent) {
        return agent.path("enabled").asBoolean(false) ? text("webhook.enabled") : text("webhook.disabled");
    }
}
