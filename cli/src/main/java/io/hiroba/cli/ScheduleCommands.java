package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(
        name = "schedule",
        description = "Schedules: sagas that are started by the clock.",
        subcommands = {
            ScheduleListCommand.class,
            ScheduleCreateCommand.class,
            SchedulePauseCommand.class,
            ScheduleResumeCommand.class,
            ScheduleTriggerCommand.class,
            ScheduleDeleteCommand.class,
        })
final class ScheduleCommands extends CommandGroup {

    static final String PATH = "/api/v1/schedules";

    static String path(String id) {
        return PATH + "/" + UrlPaths.segment(id);
    }
}
