package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "delete", description = "Delete an outgoing webhook with the log of its deliveries.")
final class WebhookDeleteCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The webhook's id, from the list.")
    private String id = "";

    WebhookDeleteCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        api().delete(WebhookCommands.PATH + "/" + UrlPaths.segment(id));
        answer(CliJson.object("deleted", id), done -> text("webhook.deleted", id));
    }
}
