package io.hiroba.cli;

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
                        .column("ID", schema -> RecordsCommands.cell(schema.path("id")))
                        .column("NAME", "name")
                        .column("ALIASES", schema -> RecordsCommands.names(schema.path("aliases")))
                        .column("ATTRIBUTES", schema -> RecordsCommands.names(schema.path("attributes")))
                        .render(schemas.path("items")));
    }
}
