package io.hiroba.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "show", description = "Show a saga, step by step.")
final class SagaShowCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The saga's id.")
    private String id = "";

    SagaShowCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(api().get(SagaCommands.path(id)), SagaText::whole);
    }
}
