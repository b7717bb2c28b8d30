package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "trigger",
        description = "Triggers: what lets an agent work for you without being asked.",
        subcommands = {
            AgentTriggerCommands.ListTriggers.class,
            AgentTriggerCommands.AddTrigger.class,
            AgentTriggerCommands.DeleteTrigger.class
        })
final class AgentTriggerCommands extends CommandGroup {

    private static String path(String agent) {
        return AgentCommands.PATH + "/" + UrlPaths.segment(agent) + "/triggers";
    }

    @Command(name = "list", description = "List your triggers of an agent.")
    static final class ListTriggers extends RemoteCommand {

        @Parameters(index = "0", paramLabel = "AGENT", description = "The agent's id, from the list.")
        private String agent = "";

        ListTriggers(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            answer(
                    api().get(path(agent)),
                    found -> new Table()
                            .column(text("column.id"), "id")
                            .column(text("column.type"), "kind")
                            .column(text("column.times"), ListTriggers::times)
                            .column(text("column.prompt"), "prompt")
                            .column(text("column.error"), "failure")
                            .render(found.path("items")));
        }

        private static String times(JsonNode trigger) {
            var days =
                    trigger.path("days").valueStream().map(JsonNode::asString).toList();
            var words = List.of(
                    trigger.path("time").asString(""), trigger.path("timeZone").asString(""), String.join(",", days));
            return String.join(" ", words).strip();
        }
    }

    @Command(name = "add", description = "Let an agent be woken for you: your prompt is sent to it as your message.")
    static final class AddTrigger extends RemoteCommand {

        @Parameters(index = "0", paramLabel = "AGENT", description = "The agent's id, from the list.")
        private String agent = "";

        @Parameters(
                index = "1",
                paramLabel = "KIND",
                description = "schedule, inbox (something comes to your inbox) or query (a saved query matches).")
        private String kind = "";

        @Parameters(index = "2", paramLabel = "PROMPT", description = "What to ask the agent.")
        private String prompt = "";

        @Option(names = "--time", paramLabel = "HH:MM", description = "When, for a schedule.")
        private @Nullable String time;

        @Option(names = "--day", paramLabel = "DAY", description = "A day, such as monday. May be repeated.")
        private List<String> days = new ArrayList<>();

        @Option(names = "--time-zone", paramLabel = "ZONE", description = "Where, such as Asia/Tokyo.")
        private @Nullable String timeZone;

        AddTrigger(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            var body = new LinkedHashMap<String, Object>();
            body.put("kind", kind);
            body.put("prompt", prompt);
            if (time != null) {
                body.put("time", time);
                body.put("timeZone", timeZone == null ? ZoneId.systemDefault().getId() : timeZone);
            }
            if (!days.isEmpty()) {
                body.put("days", days);
            }
            answer(
                    api().post(path(agent), body),
                    added -> text("agent.trigger-added", added.path("id").asString("")));
        }
    }

    @Command(name = "delete", description = "Delete a trigger of yours.")
    static final class DeleteTrigger extends RemoteCommand {

        @Parameters(index = "0", paramLabel = "AGENT", description = "The agent's id, from the list.")
        private String agent = "";

        @Parameters(index = "1", paramLabel = "TRIGGER", description = "The trigger's id, from the list of triggers.")
        private String trigger = "";

        DeleteTrigger(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            api().delete(path(agent) + "/" + UrlPaths.segment(trigger));
            answer(CliJson.object("deleted", trigger), done -> text("agent.trigger-deleted", trigger));
        }
    }
}
