package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(
        name = "webhook",
        description = "Outgoing webhooks: addresses of other programs that are told of events.",
        subcommands = {
            WebhookListCommand.class,
            WebhookCreateCommand.class,
            WebhookDeleteCommand.class,
            WebhookDeliveriesCommand.class
        })
final class WebhookCommands extends CommandGroup {

    static final String PATH = "/api/v1/webhooks";
}
