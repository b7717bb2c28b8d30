package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "deliveries", description = "List the deliveries of an outgoing webhook, newest first.")
final class WebhookDeliveriesCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The webhook's id, from the list.")
    private String id = "";

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            description = "Only those that are pending, delivered, failed or skipped.")
    private @Nullable String status;

    @Mixin
    private final PageOptions page = new PageOptions();

    WebhookDeliveriesCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var path = WebhookCommands.PATH + "/" + UrlPaths.segment(id) + "/deliveries";
        var found = page.get(api(), path, "status", status);
        answer(
                found,
                deliveries -> new Table()
                        .column(text("column.id"), "id")
                        .column(text("column.type"), "type")
                        .column(text("column.status"), "status")
                        .column(text("column.tries"), "attempts")
                        .column(text("column.error"), "error")
                        .column(text("column.created"), "createdAt")
                        .render(deliveries.path("items")));
        noteNext(found);
    }
}
