package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "rename",
        description = "Rename a schema or one of its attributes, as an owner. The old name is understood for 30 days.")
final class SchemaRenameCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "PROJECT", description = "The project's id or name.")
    private String project = "";

    @Parameters(index = "1", paramLabel = "SCHEMA", description = "The schema's name.")
    private String schema = "";

    @Parameters(index = "2", paramLabel = "NAME", description = "The new name.")
    private String name = "";

    @Option(names = "--attribute", paramLabel = "NAME", description = "The attribute to rename, instead of the schema.")
    private @Nullable String attribute;

    SchemaRenameCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        var path = SchemaCommands.path(api, project, schema)
                + (attribute == null ? "" : "/attributes/" + UrlPaths.segment(attribute));
        answer(
                api.patch(path, Map.of("name", name)),
                renamed -> text("schema.renamed", attribute == null ? schema : attribute, name));
    }
}
