package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(name = "list", description = "List your outgoing webhooks, with how they fare.")
final class WebhookListCommand extends RemoteCommand {

    @Mixin
    private final PageOptions page = new PageOptions();

    WebhookListCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = page.get(api(), WebhookCommands.PATH);
        answer(
                found,
                webhooks -> new Table()
                        .column(text("column.id"), "id")
                        .column(text("column.state"), WebhookListCommand::state)
                        .column(text("column.endpoint"), "url")
                        .column(text("column.what"), WebhookListCommand::events)
                        .render(webhooks.path("items")));
        noteNext(found);
    }

    private static String state(JsonNode webhook) {
        if (!webhook.path("enabled").asBoolean(false)) {
            return text("webhook.disabled");
        }
        return webhook.hasNonNull("failingSince") ? text("webhook.failing") : text("webhook.enabled");
    }

    private static String events(JsonNode webhook) {
        return String.join(
                " ",
                webhook.path("events").valueStream().map(JsonNode::asString).toList());
    }
}
