package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(name = "unsnooze", description = "Bring snoozed items back.")
final class InboxUnsnoozeCommand extends InboxActCommand {

    InboxUnsnoozeCommand(Surroundings around) {
        super(around, "unsnooze", "to do again");
    }
}
