package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(name = "compensate", description = "Undo what a saga did; it ends FAILED.")
final class SagaCompensateCommand extends SagaActionCommand {

    SagaCompensateCommand(CliEnvironment environment) {
        super(environment, "compensate");
    }
}
