package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(name = "restore", description = "Bring items back that were done.")
final class InboxRestoreCommand extends InboxActCommand {

    InboxRestoreCommand(Surroundings around) {
        super(around, "restore", "to do again");
    }
}
