package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(name = "approve", description = "Approve what an item asks for.")
final class InboxApproveCommand extends InboxDecisionCommand {

    InboxApproveCommand(CliEnvironment environment) {
        super(environment, "approve");
    }
}
