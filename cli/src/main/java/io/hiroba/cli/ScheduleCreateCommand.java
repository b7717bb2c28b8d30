package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "create", description = "Have sagas started by the clock.")
final class ScheduleCreateCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "NAME", description = "What it is called.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "WORKFLOW", description = "The workflow's name.")
    private String workflow = "";

    @Option(
            names = "--cron",
            paramLabel = "TIMES",
            description = "Minute, hour, day of the month, month and day of the week, or such as @daily.")
    private @Nullable String cron;

    @Option(names = "--every", paramLabel = "DURATION", description = "An interval instead, such as PT5M.")
    private @Nullable String every;

    @Option(names = "--time-zone", paramLabel = "ZONE", description = "Of --cron, such as Europe/Berlin; else UTC.")
    private @Nullable String timeZone;

    @Option(
            names = "--overlap",
            paramLabel = "POLICY",
            description = "While a run goes on: skip (the default), queue, allow or cancel-previous.")
    private @Nullable String overlap;

    @Option(
            names = "--catch-up",
            paramLabel = "POLICY",
            description = "Of runs that were missed: none (the default), last or all.")
    private @Nullable String catchUp;

    @Option(
            names = "--priority",
            paramLabel = "NUMBER",
            description = "0 to 9, 5 by default: the higher, the sooner its sagas are taken up where nodes are busy.")
    private @Nullable Integer priority;

    @Mixin
    private final JsonInput payload = new JsonInput();

    ScheduleCreateCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var body = new HashMap<String, Object>();
        body.put("name", name);
        body.put("workflow", workflow);
        put(body, "cron", cron);
        put(body, "every", every);
        put(body, "timeZone", timeZone);
        put(body, "overlap", overlap);
        put(body, "catchUp", catchUp);
        put(body, "priority", priority);
        put(body, "payload", payload.read());
        answer(
                api().create(ScheduleCommands.PATH, UUID.randomUUID().toString(), body),
                made -> text(
                        "schedule.created",
                        made.path("id").asString(""),
                        made.path("next").path(0).asString("")));
    }

    private static void put(Map<String, Object> body, String field, @Nullable Object value) {
        if (value != null) {
            body.put(field, value);
        }
    }
}
