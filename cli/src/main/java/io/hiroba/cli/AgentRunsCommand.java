package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "runs", description = "List the runs of an agent that you called for, newest first; as an admin all.")
final class AgentRunsCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The agent's id, from the list, or its nickname.")
    private String id = "";

    @Mixin
    private final PageOptions page = new PageOptions();

    AgentRunsCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        var found = page.get(api, AgentCommands.PATH + "/" + UrlPaths.segment(AgentCommands.id(api, id)) + "/runs");
        answer(
                found,
                runs -> new Table()
                        .column(text("column.id"), "id")
                        .column(text("column.state"), "state")
                        .column(text("column.error"), "reason")
                        .column(text("column.question"), "postId")
                        .column(text("column.answer"), "replyId")
                        .column(text("column.cost"), "cost")
                        .column(text("column.created"), "createdAt")
                        .render(runs.path("items")));
        noteNext(found);
    }
}
