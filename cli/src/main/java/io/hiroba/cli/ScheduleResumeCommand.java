package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "resume", description = "Start sagas again, from the next due time on.")
final class ScheduleResumeCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The schedule's id.")
    private String id = "";

    ScheduleResumeCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(
                api().post(ScheduleCommands.path(id) + "/resume", "application/json", ""),
                schedule -> text("schedule.resumed", schedule.path("name").asString("")));
    }
}
