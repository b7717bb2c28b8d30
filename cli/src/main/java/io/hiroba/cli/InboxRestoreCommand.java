package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(name = "restore", description = "Bring items back that were done.")
final class InboxRestoreCommand extends InboxActionCommand {

    InboxRestoreCommand(CliEnvironment environment) {
        super(environment, "restore");
    }
}
