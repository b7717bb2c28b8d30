package io.hiroba.cli;

import picocli.CommandLine.Parameters;

/** Asks for something to be done to a saga, which happens in the background. */
abstract class SagaActCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The saga's id.")
    private String id = "";

    private final String act;

    SagaActCommand(Surroundings around, String act) {
        super(around);
        this.act = act;
    }

    @Override
    final void run() {
        answer(
                api().post(SagaCommands.path(id) + "/" + act, "application/json", ""),
                saga -> "Saga %s is %s.".formatted(id, SagaCommands.status(saga)));
    }
}
