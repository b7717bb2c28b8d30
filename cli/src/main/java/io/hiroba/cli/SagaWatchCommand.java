package io.hiroba.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "watch",
        description = {
            "Follow a saga until it has ended, or cannot go on without a person.",
            "Ends with 4 if it is FAILED, 5 if it is CANCELLED, 6 if it is stuck."
        })
final class SagaWatchCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The saga's id.")
    private String id = "";

    SagaWatchCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        new SagaFollower(this, api(), id).follow();
    }
}
