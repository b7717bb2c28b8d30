package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(name = "cancel", description = "Undo what a saga did; it ends CANCELLED.")
final class SagaCancelCommand extends SagaActionCommand {

    SagaCancelCommand(CliEnvironment environment) {
        super(environment, "cancel");
    }
}
