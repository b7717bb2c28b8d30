package io.hiroba.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "snooze", description = "Put items off: they come back by themselves.")
final class InboxSnoozeCommand extends InboxActionCommand {

    @ArgGroup(multiplicity = "1")
    private Until until = new Until();

    /** The time to snooze until; one of the options is required. */
    static final class Until {

        @Option(names = "--for", paramLabel = "TIME", description = "1h, 4h, tomorrow or next-week.")
        private @Nullable String preset;

        @Option(names = "--until", paramLabel = "TIME", description = "Such as 2026-05-01T08:00:00+02:00.")
        private @Nullable String time;

        @Option(names = "--until-event", paramLabel = "EVENT", description = "comment, pipeline, merge or any.")
        private @Nullable String event;

        Map<String, String> fields() {
            if (preset != null) {
                return Map.of("preset", preset);
            }
            return time == null ? Map.of("untilEvent", String.valueOf(event)) : Map.of("until", time);
        }
    }

    InboxSnoozeCommand(CliEnvironment environment) {
        super(environment, "snooze");
    }

    @Override
    void run() {
        apply(until.fields());
    }
}
