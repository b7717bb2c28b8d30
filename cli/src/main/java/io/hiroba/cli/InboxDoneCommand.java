package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "done", description = "Be done with items; `inbox restore` brings them back.")
final class InboxDoneCommand extends InboxActionCommand {

    @Option(names = "--all", description = "With everything that is to do.")
    private boolean all;

    InboxDoneCommand(CliEnvironment environment) {
        super(environment, "done");
    }

    @Override
    void run() {
        if (!all) {
            super.run();
        } else if (!namesNone()) {
            throw Failure.usage(text("inbox.all-or-items"));
        } else {
            answer(
                    api().post(InboxCommands.PATH + "/done-all", "application/json", "{}"),
                    done -> text("inbox.changed.done", done.path("done").asLong(0)));
        }
    }
}
