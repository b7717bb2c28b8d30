package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** A command that applies one action to items, a hundred per request. */
abstract class InboxActionCommand extends RemoteCommand {

    private static final int BATCH_SIZE = 100;

    @Parameters(
            arity = "0..*",
            paramLabel = "ID",
            description = "The items: each id, or a part of it that only one of the newest has.")
    private List<String> named = new ArrayList<>();

    private final String action;

    InboxActionCommand(CliEnvironment environment, String action) {
        super(environment);
        this.action = action;
    }

    boolean namesNone() {
        return named.isEmpty();
    }

    @Override
    void run() {
        apply(Map.of());
    }

    /** @param more further fields of the request */
    final void apply(Map<String, String> more) {
        if (named.isEmpty()) {
            throw Failure.usage(text("inbox.say-which"));
        }
        var api = api();
        var ids = InboxCommands.ids(api, named).stream().distinct().toList();
        var changed = new ArrayList<JsonNode>();
        IntStream.iterate(0, from -> from < ids.size(), from -> from + BATCH_SIZE)
                .forEach(from -> {
                    var request = new TreeMap<String, Object>(more);
                    request.put("action", action);
                    request.put("ids", ids.subList(from, Math.min(from + BATCH_SIZE, ids.size())));
                    api.post(InboxCommands.PATH + "/bulk", request)
                            .path("items")
                            .forEach(changed::add);
                });
        answer(
                CliJson.page(changed),
                items -> text("inbox.changed." + action, items.path("items").size()));
    }
}
