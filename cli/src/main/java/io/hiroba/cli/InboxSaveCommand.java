package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(name = "save", description = "Keep items at hand.")
final class InboxSaveCommand extends InboxActCommand {

    InboxSaveCommand(Surroundings around) {
        super(around, "save", "saved");
    }
}
