package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "list", description = "List the services that steps call.")
final class SagaServiceListCommand extends RemoteCommand {

    @Mixin
    private final PageOptions page = new PageOptions();

    SagaServiceListCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = page.get(api(), SagaServiceCommands.PATH);
        answer(
                found,
                services -> new Table()
                        .column(text("column.name"), "name")
                        .column(text("column.endpoint"), "endpoint")
                        .column(text("column.origin"), "origin")
                        .column(text("column.since"), "updatedAt")
                        .render(services.path("items")));
        noteNext(found);
    }
}
