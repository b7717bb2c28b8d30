package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;

@Command(name = "counts", description = "Tell how much is in your inbox.")
final class InboxCountsCommand extends RemoteCommand {

    InboxCountsCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(
                api().get(InboxCommands.PATH + "/counts"),
                counts -> text(
                        "inbox.counts",
                        counts.path("todo").asLong(0),
                        counts.path("unread").asLong(0),
                        counts.path("snoozed").asLong(0),
                        counts.path("saved").asLong(0),
                        counts.path("done").asLong(0)));
    }
}
