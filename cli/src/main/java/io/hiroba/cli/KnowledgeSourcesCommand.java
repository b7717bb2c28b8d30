package io.hiroba.cli;

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
                        .column("ID", "id")
                        .column("TYPE", "type")
                        .column("STATUS", "status")
                        .column("EMBEDDED", KnowledgeSourcesCommand::progress)
                        .column("TITLE", "title")
                        .render(sources.path("items")));
        noteNext(found);
    }

    private static String progress(JsonNode source) {
        var progress = source.path("progress");
        return "%d of %d"
                .formatted(
                        progress.path("embedded").asLong(0),
                        progress.path("chunks").asLong(0));
    }
}
