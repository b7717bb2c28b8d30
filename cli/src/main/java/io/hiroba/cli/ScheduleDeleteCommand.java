package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "delete", description = "Delete it; sagas that it started stay.")
final class ScheduleDeleteCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The schedule's id.")
    private String id = "";

    ScheduleDeleteCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        api().delete(ScheduleCommands.path(id));
        answer(CliJson.object("deleted", id), done -> text("schedule.deleted", id));
    }
}
