package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "delete", description = "Forget where a service is, as an admin.")
final class SagaServiceDeleteCommand extends RemoteCommand {

    @Parameters(paramLabel = "NAME", description = "The name by which workflows call it.")
    private String name = "";

    SagaServiceDeleteCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        api().delete(SagaServiceCommands.PATH + "/" + UrlPaths.segment(name));
        answer(CliJson.object("deleted", name), done -> text("saga.service-deleted", name));
    }
}
