package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(name = "retry", description = "Have a stuck saga taken up again.")
final class SagaRetryCommand extends SagaActionCommand {

    SagaRetryCommand(CliEnvironment environment) {
        super(environment, "retry");
    }
}
