package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "sources", description = "List sources that you may read, newest first, with how far each is.")
final class KnowledgeSourcesCommand extends RemoteCommand {

    @Option(names = "--mine", description = "Only your own.")
    private boolean mine;

    @Mixin
    private final PageOptions page = new PageOptions();

    KnowledgeSourcesCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = page.get(api(), KnowledgeCommands.PATH + "/sources", "mine", mine ? "true" : null);
        answer(
                found,
                sources -> new Table()
                        .column(text("column.id"), "id")
                        .column(text("column.type"), "type")
                        .column(text("column.status"), "status")
                        .column(text("column.embedded"), KnowledgeSourcesCommand::progress)
                        .column(text("column.title"), "title")
                        .render(sources.path("items")));
        noteNext(found);
    }

    private static String progress(JsonNode source) {
        var progress = source.path("progress");
        return text(
                "knowledge.progress",
                progress.path("embedded").asLong(0),
                progress.path("chunks").asLong(0));
    }
}
