package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "trigger", description = "Start a saga of it now.")
final class ScheduleTriggerCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The schedule's id.")
    private String id = "";

    ScheduleTriggerCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(
                api().create(
                                ScheduleCommands.path(id) + "/trigger",
                                UUID.randomUUID().toString(),
                                Map.of()),
                started -> text("saga.started", started.path("id").asString("")));
    }
}
