package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(name = "reject", description = "Reject what an item asks for.")
final class InboxRejectCommand extends InboxDecisionCommand {

    InboxRejectCommand(CliEnvironment environment) {
        super(environment, "reject");
    }
}
