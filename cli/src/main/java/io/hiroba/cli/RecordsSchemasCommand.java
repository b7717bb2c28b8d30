package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "schemas", description = "List the schemas of a project.")
final class RecordsSchemasCommand extends RemoteCommand {

    @Parameters(paramLabel = "PROJECT", description = "The project's id or name.")
    private String project = "";

    RecordsSchemasCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        answer(
                api.get(RecordsCommands.project(api, project) + "/schemas"),
                schemas -> new Table()
                        .column(text("column.id"), schema -> RecordsCommands.cell(schema.path("id")))
                        .column(text("column.name"), "name")
                        .column(text("column.aliases"), schema -> RecordsCommands.names(schema.path("aliases")))
                        .column(text("column.attributes"), schema -> RecordsCommands.names(schema.path("attributes")))
                        .render(schemas.path("items")));
    }
}
