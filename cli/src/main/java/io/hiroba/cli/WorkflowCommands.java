package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(
        name = "workflow",
        description = "Workflows: what sagas have to do.",
        subcommands = {WorkflowApplyCommand.class, WorkflowListCommand.class, WorkflowShowCommand.class})
final class WorkflowCommands extends CommandGroup {}
