package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "create", description = "Make an outgoing webhook, and print the secret that events are signed with.")
final class WebhookCreateCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "URL", description = "Where events are sent, beginning with https://.")
    private String url = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "TYPE",
            description = "What it is told of: saga.completed, saga.* for all that begin so, or *.")
    private List<String> types = new ArrayList<>();

    @Option(names = "--description", paramLabel = "TEXT", description = "What the webhook is for.")
    private String description = "";

    WebhookCreateCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(
                api().post(WebhookCommands.PATH, Map.of("url", url, "events", types, "description", description)),
                made -> text(
                        "webhook.created",
                        made.path("id").asString(""),
                        made.path("secret").asString("")));
        note(text("token.keep"));
    }
}
