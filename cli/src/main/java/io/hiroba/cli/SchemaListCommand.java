package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "list", description = "List the schemas of a project.")
final class SchemaListCommand extends RemoteCommand {

    @Parameters(paramLabel = "PROJECT", description = "The project's id or name.")
    private String project = "";

    @Option(names = "--deleted", description = "Those that were deleted and can be restored, as an owner.")
    private boolean deleted;

    SchemaListCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        var path = RecordsCommands.project(api, project);
        if (deleted) {
            answer(
                    api.get(path + "/removed-schemas"),
                    removed -> new Table()
                            .column(text("column.id"), schema -> RecordsCommands.cell(schema.path("id")))
                            .column(text("column.name"), "name")
                            .column(text("column.deleted"), "removedAt")
                            .column(text("column.until"), "until")
                            .render(removed.path("items")));
        } else {
            answer(api.get(path + "/schemas"), SchemaListCommand::table);
        }
    }

    static String table(JsonNode schemas) {
        return new Table()
                .column(text("column.id"), schema -> RecordsCommands.cell(schema.path("id")))
                .column(text("column.name"), "name")
                .column(text("column.aliases"), schema -> RecordsCommands.names(schema.path("aliases")))
                .column(text("column.attributes"), schema -> RecordsCommands.names(schema.path("attributes")))
                .render(schemas.path("items"));
    }
}
