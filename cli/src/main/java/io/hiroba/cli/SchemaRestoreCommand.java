package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "restore", description = "Bring a deleted schema back with all that was in it, as an owner.")
final class SchemaRestoreCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "PROJECT", description = "The project's id or name.")
    private String project = "";

    @Parameters(index = "1", paramLabel = "SCHEMA", description = "The name that it had, or its id.")
    private String schema = "";

    @Option(names = "--name", paramLabel = "NAME", description = "Another name, if its own is taken.")
    private @Nullable String name;

    SchemaRestoreCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        var path = RecordsCommands.project(api, project) + "/removed-schemas";
        var restored =
                api.post(path + "/" + id(api, path) + "/restore", name == null ? Map.of() : Map.of("name", name));
        answer(restored, done -> text("schema.restored", done.path("name").asString("")));
    }

    private String id(Api api, String path) {
        var called = StreamSupport.stream(api.get(path).path("items").spliterator(), false)
                .filter(each -> each.path("name").asString("").equals(schema)
                        || RecordsCommands.cell(each.path("id")).equals(schema))
                .map(each -> RecordsCommands.cell(each.path("id")))
                .toList();
        if (called.size() > 1) {
            throw Failure.usage(text("schema.several-deleted", schema, project));
        }
        if (called.isEmpty()) {
            throw Failure.of(Cli.FAILED, "cli.no-schema", text("schema.none-deleted", schema));
        }
        return called.getFirst();
    }
}
