package io.hiroba.cli;

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
                        .column("NAME", "name")
                        .column(
                                "VERSION",
                                row -> Integer.toString(row.path("version").asInt(0)))
                        .column("STATE", row -> row.path("enabled").asBoolean(true) ? "on" : "off")
                        .column("SINCE", "createdAt")
                        .render(workflows.path("items")));
        noteNext(found);
    }
}
