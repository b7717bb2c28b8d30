package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "create", description = "Make a schema, as an owner.")
final class SchemaCreateCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "PROJECT", description = "The project's id or name.")
    private String project = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "Its name, unless the file has it.")
    private @Nullable String name;

    @Option(
            names = "--attribute",
            paramLabel = "NAME:TYPE",
            description =
                    "An attribute, such as price:numeric or sku:text:required:unique. May be given several times.")
    private List<String> attributes = new ArrayList<>();

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "A definition as of the API, or a JSON Schema, instead of attributes.")
    private @Nullable Path file;

    SchemaCreateCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var body = new LinkedHashMap<String, Object>();
        if (file != null) {
            if (!attributes.isEmpty()) {
                throw Failure.usage(text("schema.attributes-or-file"));
            }
            var read = CliJson.read(JsonInput.fromFile(file)).orElseThrow(() -> Failure.usage(text("input.not-json")));
            read.properties().forEach(each -> body.put(each.getKey(), each.getValue()));
        } else {
            body.put(
                    "attributes",
                    attributes.stream().map(SchemaCommands::attribute).toList());
        }
        if (name != null) {
            body.put("name", name);
        }
        if (!body.containsKey("name") && !body.containsKey("title")) {
            throw Failure.usage(text("schema.no-name"));
        }
        var api = api();
        var path = RecordsCommands.project(api, project) + "/schemas";
        answer(
                api.create(path, UUID.randomUUID().toString(), body),
                made -> text("schema.created", made.path("name").asString("")));
    }
}
