package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "add-attribute", description = "Add an attribute to a schema, as an owner.")
final class SchemaAddAttributeCommand extends RemoteCommand {

    /** What a definition says of an attribute that is there. */
    private static final List<String> DEFINED = List.of(
            "name",
            "type",
            "required",
            "unique",
            "default",
            "min",
            "max",
            "pattern",
            "prefixSearch",
            "references",
            "format",
            "currency",
            "computed",
            "many");

    @Parameters(index = "0", paramLabel = "PROJECT", description = "The project's id or name.")
    private String project = "";

    @Parameters(index = "1", paramLabel = "SCHEMA", description = "The schema's name.")
    private String schema = "";

    @Parameters(
            index = "2",
            paramLabel = "ATTRIBUTE",
            description = "The attribute, such as price:numeric or sku:text:unique.")
    private String attribute = "";

    @Option(names = "--format", paramLabel = "FORMAT", description = "What its values are, such as email or currency.")
    private @Nullable String format;

    @Option(names = "--references", paramLabel = "SCHEMA", description = "The schema that it refers to.")
    private @Nullable String references;

    @Option(names = "--option", paramLabel = "VALUE", description = "A value to choose. May be given several times.")
    private List<String> options = new ArrayList<>();

    SchemaAddAttributeCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var added = SchemaCommands.attribute(attribute);
        var name = Objects.requireNonNull(added.get("name"));
        if (format != null) {
            added.put("format", format);
        }
        if (references != null) {
            added.put("references", references);
        }
        if (!options.isEmpty()) {
            added.put("enum", options);
        }
        var api = api();
        var path = SchemaCommands.path(api, project, schema);
        var known = api.get(path);
        var attributes = new ArrayList<Map<String, Object>>();
        for (var each : known.path("attributes")) {
            if (each.path("name").asString("").equals(name)) {
                throw Failure.usage(text("schema.attribute-there", schema, name));
            }
            attributes.add(defined(each));
        }
        attributes.add(added);
        var body = new LinkedHashMap<String, Object>();
        body.put("name", known.path("name"));
        body.put("attributes", attributes);
        // What somebody else added meanwhile is missing here, which the server refuses.
        answer(api.put(path, body), changed -> text("schema.attribute-added", schema, name));
    }

    private static Map<String, Object> defined(JsonNode attribute) {
        var defined = new LinkedHashMap<String, Object>();
        for (var field : DEFINED) {
            if (!attribute.path(field).isMissingNode() && !attribute.path(field).isNull()) {
                defined.put(field, attribute.path(field));
            }
        }
        var options = attribute.path("options").isArray() ? "options" : "enum";
        if (attribute.path(options).isArray()) {
            defined.put(options, attribute.path(options));
        }
        return defined;
    }
}
