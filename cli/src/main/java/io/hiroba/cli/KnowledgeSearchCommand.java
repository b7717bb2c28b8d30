package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "search", description = "Search what you may read, by meaning and by words.")
final class KnowledgeSearchCommand extends RemoteCommand {

    @Parameters(arity = "1..*", paramLabel = "WORDS", description = "What to look for.")
    private final List<String> words = new ArrayList<>();

    @Option(names = "--mode", paramLabel = "MODE", description = "hybrid unless said, vector or keyword.")
    private @Nullable String mode;

    @Option(names = "--limit", paramLabel = "N", description = "How many at most: 10 unless said, up to 50.")
    private @Nullable Integer limit;

    KnowledgeSearchCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        var query = new HashMap<String, Object>();
        query.put("query", String.join(" ", words));
        if (mode != null) {
            query.put("mode", mode);
        }
        if (limit != null) {
            query.put("limit", limit);
        }
        var found = api.post(KnowledgeCommands.PATH + "/search", query);
        answer(found, answer -> format(api, answer));
        var why = found.path("why").asString("");
        if (!why.isEmpty()) {
            note(why);
        }
    }

    private static String format(Api api, JsonNode found) {
        var text = new StringBuilder();
        int number = 0;
        for (var hit : found.path("items")) {
            text.append("%d. %s, %s%n   %s%n   %s%n"
                    .formatted(
                            ++number,
                            Text.cell(hit.path("sourceTitle").asString("")),
                            Text.cell(hit.path("label").asString("")),
                            KnowledgeCommands.snippet(hit),
                            KnowledgeCommands.url(api, hit)));
        }
        return number == 0 ? text("list.nothing-found") : text.toString();
    }
}
