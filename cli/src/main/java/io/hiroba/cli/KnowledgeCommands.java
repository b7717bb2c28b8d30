package io.hiroba.cli;

import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
        name = "knowledge",
        description = "Knowledge: texts, files and pages that are searched and asked.",
        subcommands = {
            KnowledgeAddCommand.class,
            KnowledgeSearchCommand.class,
            KnowledgeAskCommand.class,
            KnowledgeSourcesCommand.class,
            KnowledgeDlqCommand.class,
        })
final class KnowledgeCommands extends CommandGroup {

    static final String PATH = "/api/v1/knowledge";

    /** The location of a chunk, with an absolute URL. */
    static String url(Api api, JsonNode passage) {
        var url = passage.path("url").asString("");
        return url.startsWith("/") ? api.server().resolve(url).toString() : url;
    }

    static String snippet(JsonNode passage) {
        var text = new StringBuilder();
        passage.path("snippet").forEach(piece -> text.append(piece.path("text").asString("")));
        return Text.cell(text.toString()).strip();
    }
}
