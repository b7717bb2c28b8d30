package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "delete",
        description = "Delete a schema with all its records, as an owner. It can be restored for 30 days.")
final class SchemaDeleteCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "PROJECT", description = "The project's id or name.")
    private String project = "";

    @Parameters(index = "1", paramLabel = "SCHEMA", description = "The schema's name.")
    private String schema = "";

    @Option(names = "--dry-run", description = "Only tell what would go with it.")
    private boolean dryRun;

    SchemaDeleteCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        var path = SchemaCommands.path(api, project, schema);
        if (dryRun) {
            var preview = api.delete(path + UrlPaths.query("preview", true));
            answer(preview, SchemaDeleteCommand::contents);
            exitWith(preview.path("allowed").asBoolean(false) ? 0 : Cli.FAILED);
            return;
        }
        api.delete(path);
        answer(CliJson.object("deleted", schema), done -> text("schema.deleted", schema, project));
    }

    private static String contents(JsonNode preview) {
        var refusal = preview.path("refusal").asString("");
        return preview.path("contents").valueStream().map(JsonNode::asString).collect(Collectors.joining("\n"))
                + (refusal.isEmpty() ? "" : "\n" + refusal);
    }
}
