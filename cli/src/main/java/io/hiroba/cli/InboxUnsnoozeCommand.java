package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(name = "unsnooze", description = "Bring snoozed items back.")
final class InboxUnsnoozeCommand extends InboxActionCommand {

    InboxUnsnoozeCommand(CliEnvironment environment) {
        super(environment, "unsnooze");
    }
}
