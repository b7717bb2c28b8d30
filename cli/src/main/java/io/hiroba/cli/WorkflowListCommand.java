package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "list", description = "List workflows.")
final class WorkflowListCommand extends RemoteCommand {

    @Mixin
    private final PageOptions page = new PageOptions();

    WorkflowListCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = page.get(api(), "/api/v1/workflows");
        answer(
                found,
                workflows -> new Table()
                        .column(text("column.name"), "name")
                        .column(
                                text("column.version"),
                                row -> Integer.toString(row.path("version").asInt(0)))
                        .column(
                                text("column.state"),
                                row -> row.path("enabled").asBoolean(true) ? text("workflow.on") : text("workflow.off"))
                        .column(text("column.since"), "createdAt")
                        .render(workflows.path("items")));
        noteNext(found);
    }
}
