package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(name = "unsave", description = "Do not keep items at hand any more.")
final class InboxUnsaveCommand extends InboxActCommand {

    InboxUnsaveCommand(Surroundings around) {
        super(around, "unsave", "no longer saved");
    }
}
