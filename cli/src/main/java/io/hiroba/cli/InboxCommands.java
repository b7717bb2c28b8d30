package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
        name = "inbox",
        description = "Your inbox: what wants something from you. Alone it lists what is to do.",
        subcommands = {
            InboxListCommand.class,
            InboxCountsCommand.class,
            InboxDoneCommand.class,
            InboxRestoreCommand.class,
            InboxSnoozeCommand.class,
            InboxUnsnoozeCommand.class,
            InboxSaveCommand.class,
            InboxUnsaveCommand.class,
            InboxApproveCommand.class,
            InboxRejectCommand.class,
        })
final class InboxCommands extends RemoteCommand {

    static final String PATH = "/api/v1/inbox";

    private static final Pattern ID = Pattern.compile("[0-7][0-9A-F]{15}");
    private static final Pattern PART = Pattern.compile("[0-9A-F]{4,15}");

    /** The views in which abbreviated ids are looked up. */
    private static final List<String> STATES = List.of("todo", "snoozed", "done");

    /** The items of each view that abbreviated ids are looked up in. */
    private static final int LOOKED_AT = 100;

    InboxCommands(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        InboxListCommand.show(this, api().get(PATH));
    }

    /**
     * Resolves ids that may be abbreviated to some of their digits, if these are unique among the newest items. The
     * first digits are the same for days, the last ones rarely.
     */
    static List<String> ids(Api api, List<String> named) {
        var ids = new ArrayList<String>();
        List<String> newest = List.of();
        for (var name : named) {
            var digits = name.toUpperCase(Locale.ROOT);
            if (ID.matcher(digits).matches()) {
                ids.add(digits);
                continue;
            }
            if (!PART.matcher(digits).matches()) {
                throw Failure.usage(text("inbox.not-an-id", name));
            }
            newest = newest.isEmpty() ? newest(api) : newest;
            ids.add(having(newest, digits));
        }
        return List.copyOf(ids);
    }

    private static String having(List<String> ids, String part) {
        var found = ids.stream().filter(id -> id.contains(part)).distinct().toList();
        if (found.size() != 1) {
            throw Failure.usage(found.isEmpty() ? text("inbox.none-has", part) : text("inbox.several-have", part));
        }
        return found.getFirst();
    }

    private static List<String> newest(Api api) {
        var ids = new ArrayList<String>();
        for (var state : STATES) {
            api.get(PATH + UrlPaths.query("state", state, "sort", "newest", "limit", LOOKED_AT))
                    .path("items")
                    .forEach(item -> ids.add(item.path("id").asString("")));
        }
        return ids;
    }

    /** The action of an item, in words. */
    static String wanted(JsonNode item) {
        var action = item.path("action").asString("");
        return CliMessages.find("inbox.action." + action.replace('_', '-')).orElse(action.replace('_', ' '));
    }
}
