package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "query", description = "Find records.")
final class RecordsQueryCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "PROJECT", description = "The project's id or name.")
    private String project = "";

    @Parameters(index = "1", paramLabel = "SCHEMA", description = "The schema's name.")
    private String schema = "";

    @Mixin
    private final Conditions conditions = new Conditions();

    @Option(names = "--limit", paramLabel = "N", description = "How many at most: 20 unless said, up to 100.")
    private @Nullable Integer limit;

    @Option(names = "--after", paramLabel = "CURSOR", description = "Go on after the page that ended with this.")
    private @Nullable String after;

    RecordsQueryCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        var path = RecordsCommands.project(api, project) + "/records/" + UrlPaths.segment(schema);
        var found = api.get(path + conditions.query(UrlPaths.query("limit", limit, "after", after)));
        answer(found, RecordsQueryCommand::table);
        noteNext(found);
    }

    private static String table(JsonNode page) {
        var items = page.path("items");
        var names = new LinkedHashSet<String>();
        items.forEach(item -> names.addAll(item.path("values").propertyNames()));
        if (items.isEmpty()) {
            return text("records.none");
        }
        var table = new Table().column(text("column.id"), "id");
        names.forEach(name -> table.column(
                name, item -> RecordsCommands.cell(item.path("values").path(name))));
        return table.render(items);
    }
}
