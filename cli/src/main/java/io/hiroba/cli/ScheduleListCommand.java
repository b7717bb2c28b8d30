package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(name = "list", description = "List schedules with their next runs.")
final class ScheduleListCommand extends RemoteCommand {

    @Mixin
    private final PageOptions page = new PageOptions();

    ScheduleListCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = page.get(api(), ScheduleCommands.PATH);
        answer(
                found,
                schedules -> new Table()
                        .column(text("column.id"), "id")
                        .column(text("column.name"), "name")
                        .column(text("column.workflow"), "workflow")
                        .column(text("column.times"), ScheduleListCommand::times)
                        .column(text("column.next"), ScheduleListCommand::next)
                        .render(schedules.path("items")));
        noteNext(found);
    }

    private static String times(JsonNode schedule) {
        var every = schedule.path("every").asString("");
        return every.isEmpty()
                ? schedule.path("cron").asString("") + " "
                        + schedule.path("timeZone").asString("")
                : every;
    }

    private static String next(JsonNode schedule) {
        return schedule.path("paused").asBoolean(false)
                ? text("schedule.is-paused")
                : schedule.path("next").path(0).asString("");
    }
}
