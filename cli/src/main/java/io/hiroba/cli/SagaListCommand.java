package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "list", description = "List sagas, newest first.")
final class SagaListCommand extends RemoteCommand {

    @Mixin
    private final SagaFilterOptions filter = new SagaFilterOptions();

    @Mixin
    private final PageOptions page = new PageOptions();

    SagaListCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var filters = new ArrayList<@Nullable Object>();
        filter.filters().forEach((name, value) -> {
            var values = value instanceof List<?> several ? several : List.of(value);
            values.forEach(each -> filters.addAll(List.of(name, each.toString())));
        });
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
