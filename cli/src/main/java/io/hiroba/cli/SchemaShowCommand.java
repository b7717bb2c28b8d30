package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "show", description = "Show a schema with its attributes.")
final class SchemaShowCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "PROJECT", description = "The project's id or name.")
    private String project = "";

    @Parameters(index = "1", paramLabel = "SCHEMA", description = "The schema's name.")
    private String schema = "";

    SchemaShowCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        answer(api.get(SchemaCommands.path(api, project, schema)), SchemaShowCommand::description);
    }

    static String description(JsonNode schema) {
        return Description.of(schema)
                        .line(text("column.id"), each -> RecordsCommands.cell(each.path("id")))
                        .line(text("column.name"), "name")
                        .line(text("column.title"), "title")
                        .line(text("column.aliases"), each -> RecordsCommands.names(each.path("aliases")))
                + "\n"
                + new Table()
                        .column(text("column.attribute"), "name")
                        .column(text("column.title"), "title")
                        .column(text("column.type"), "type")
                        .column(text("column.what"), SchemaShowCommand::rules)
                        .render(schema.path("attributes"));
    }

    private static String rules(JsonNode attribute) {
        var rules = new ArrayList<String>();
        for (var flag : new String[] {"required", "unique", "many"}) {
            if (attribute.path(flag).asBoolean(false)) {
                rules.add(flag);
            }
        }
        for (var field : new String[] {"format", "references"}) {
            var value = RecordsCommands.cell(attribute.path(field));
            if (!value.isEmpty()) {
                rules.add(field + " " + value);
            }
        }
        if (attribute.path("computed").isObject()) {
            rules.add(attribute.path("computed").path("kind").asString("computed"));
        }
        var options = attribute.path("enum");
        if (options.isArray() && !options.isEmpty()) {
            rules.add(options.valueStream()
                    .map(RecordsCommands::cell)
                    .reduce((one, other) -> one + " | " + other)
                    .orElse(""));
        }
        return String.join(", ", rules);
    }
}
