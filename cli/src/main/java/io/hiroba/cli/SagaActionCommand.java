package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Parameters;

/** A command that requests an action on a saga, which runs in the background. */
abstract class SagaActionCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The saga's id.")
    private String id = "";

    private final String action;

    SagaActionCommand(CliEnvironment environment, String action) {
        super(environment);
        this.action = action;
    }

    @Override
    final void run() {
        answer(
                api().post(SagaCommands.path(id) + "/" + action, "application/json", ""),
                saga -> text("saga.acted", id, SagaCommands.status(saga)));
    }
}
