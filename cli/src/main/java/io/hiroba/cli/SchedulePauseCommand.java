package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "pause", description = "Start no more sagas until it is resumed.")
final class SchedulePauseCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The schedule's id.")
    private String id = "";

    @Option(names = "--note", paramLabel = "TEXT", description = "Why.")
    private @Nullable String note;

    SchedulePauseCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(
                api().post(ScheduleCommands.path(id) + "/pause", note == null ? Map.of() : Map.of("note", note)),
                schedule -> text("schedule.paused", schedule.path("name").asString("")));
    }
}
