package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
        name = "records",
        description = "Records: typed data of any shape, in projects.",
        subcommands = {
            RecordsProjectsCommand.class,
            RecordsSchemasCommand.class,
            RecordsImportCommand.class,
            RecordsExportCommand.class,
            RecordsQueryCommand.class,
            RecordsClientCommand.class,
        })
final class RecordsCommands extends CommandGroup {

    static final String PATH = "/api/v1/projects";

    /** The path of a project given by its id or name. */
    static String project(Api api, String named) {
        if (named.matches("[0-9A-Fa-f]{16}")) {
            return PATH + "/" + named;
        }
        String found = null;
        String next = "";
        do {
            var page = api.get(PATH + UrlPaths.query("limit", 100, "after", next.isEmpty() ? null : next));
            for (var project : page.path("items")) {
                if (project.path("name").asString("").equals(named)) {
                    if (found != null) {
                        throw Failure.usage(text("records.several-projects", named));
                    }
                    found = project.path("id").asString("");
                }
            }
            next = page.path("next").asString("");
        } while (!next.isEmpty());
        if (found == null) {
            throw Failure.of(Cli.FAILED, "cli.no-project", text("records.no-project", named));
        }
        return PATH + "/" + found;
    }

    /** A value in a table. */
    static String cell(JsonNode value) {
        return value.isMissingNode() || value.isNull() ? "" : value.isString() ? value.stringValue() : value.toString();
    }

    static String names(JsonNode list) {
        return String.join(
                ", ",
                StreamSupport.stream(list.spliterator(), false)
                        .map(each -> each.isString()
                                ? each.stringValue()
                                : each.path("name").asString(""))
                        .toList());
    }
}
