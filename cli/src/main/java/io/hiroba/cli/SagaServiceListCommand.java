package io.hiroba.cli;

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
                        .column("NAME", "name")
                        .column("ENDPOINT", "endpoint")
                        .column("ORIGIN", "origin")
                        .column("SINCE", "updatedAt")
                        .render(services.path("items")));
        noteNext(found);
    }
}
