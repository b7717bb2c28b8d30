package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;

@Command(
        name = "schema",
        description = "Schemas: the tables of a project, with their attributes.",
        subcommands = {
            SchemaListCommand.class,
            SchemaShowCommand.class,
            SchemaCreateCommand.class,
            SchemaAddAttributeCommand.class,
            SchemaRenameCommand.class,
            SchemaDeleteCommand.class,
            SchemaRestoreCommand.class,
        })
final class SchemaCommands extends CommandGroup {

    private static final Pattern ATTRIBUTE = Pattern.compile("(.+?):([A-Za-z_]+)((?::(?:required|unique))*)");

    static String path(Api api, String project, String schema) {
        return RecordsCommands.project(api, project) + "/schemas/" + UrlPaths.segment(schema);
    }

    /** An attribute as it is typed: {@code price:numeric}, {@code sku:text:required:unique}. */
    static Map<String, Object> attribute(String typed) {
        var parts = ATTRIBUTE.matcher(typed);
        if (!parts.matches()) {
            throw Failure.usage(text("schema.no-attribute", typed));
        }
        var attribute = new LinkedHashMap<String, Object>();
        attribute.put("name", parts.group(1));
        attribute.put("type", parts.group(2));
        if (parts.group(3).contains(":required")) {
            attribute.put("required", true);
        }
        if (parts.group(3).contains(":unique")) {
            attribute.put("unique", true);
        }
        return attribute;
    }
}
