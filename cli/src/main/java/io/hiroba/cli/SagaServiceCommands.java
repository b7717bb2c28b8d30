package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(
        name = "service",
        description = "The services that steps call.",
        subcommands = {SagaServicePutCommand.class, SagaServiceListCommand.class, SagaServiceDeleteCommand.class})
final class SagaServiceCommands extends CommandGroup {

    static final String PATH = "/api/v1/saga-services";
}
