package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "list", description = "List sagas, newest first.")
final class SagaListCommand extends RemoteCommand {

    @Option(names = "--workflow", paramLabel = "NAME", description = "Only those of this workflow.")
    private @Nullable String workflow;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            description =
                    "Only those that are STARTED, RUNNING, COMPLETED, COMPENSATING, FAILED or CANCELLED, or WAITING for"
                            + " a signal or an approval.")
    private @Nullable String status;

    @Option(names = "--correlation-id", paramLabel = "ID", description = "Only those that are known by this.")
    private @Nullable String correlation;

    @Option(
            names = "--attribute",
            paramLabel = "CONDITION",
            description = "Only those with this search attribute, such as total>=100. May be given several times.")
    private List<String> attributes = List.of();

    @Option(names = "--stuck", description = "Only those that cannot go on without a person.")
    private boolean stuck;

    @Mixin
    private final PageOptions page = new PageOptions();

    SagaListCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var filters = new ArrayList<@Nullable Object>(Arrays.asList(
                "workflowName",
                workflow,
                "status",
                status,
                "correlationId",
                correlation,
                "stuck",
                stuck ? "true" : null));
        attributes.forEach(condition -> filters.addAll(List.of("attribute", condition)));
        var found = page.get(api(), SagaCommands.PATH, filters.toArray());
        answer(
                found,
                sagas -> new Table()
                        .column(text("column.id"), "id")
                        .column(text("column.workflow"), "workflowName")
                        .column(text("column.status"), SagaCommands::status)
                        .column(text("column.correlation"), "correlationId")
                        .column(text("column.started"), "createdAt")
                        .render(sagas.path("items")));
        noteNext(found);
    }
}
