package io.hiroba.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Does the same to some items, a hundred at a time. */
abstract class InboxActCommand extends RemoteCommand {

    private static final int AT_ONCE = 100;

    @Parameters(
            arity = "0..*",
            paramLabel = "ID",
            description = "The items: each id, or a part of it that only one of the newest has.")
    private List<String> named = new ArrayList<>();

    private final String act;
    private final String words;

    /** @param words what the items are afterwards */
    InboxActCommand(Surroundings around, String act, String words) {
        super(around);
        this.act = act;
        this.words = words;
    }

    boolean namesNone() {
        return named.isEmpty();
    }

    @Override
    void run() {
        act(Map.of());
    }

    /** @param more what is told beside what to do and to which items */
    final void act(Map<String, String> more) {
        if (named.isEmpty()) {
            throw Failure.usage("Say which items: their ids are in `inbox list`.");
        }
        var api = api();
        var ids = InboxCommands.ids(api, named).stream().distinct().toList();
        var changed = new ArrayList<JsonNode>();
        IntStream.iterate(0, from -> from < ids.size(), from -> from + AT_ONCE).forEach(from -> {
            var request = new TreeMap<String, Object>(more);
            request.put("action", act);
            request.put("ids", ids.subList(from, Math.min(from + AT_ONCE, ids.size())));
            api.post(InboxCommands.PATH + "/bulk", request).path("items").forEach(changed::add);
        });
        answer(
                Json.page(changed),
                items -> "%,d %s.".formatted(items.path("items").size(), words));
    }
}
