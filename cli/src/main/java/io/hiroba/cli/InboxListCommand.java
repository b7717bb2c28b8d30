package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "list", description = "List what is in your inbox.")
final class InboxListCommand extends RemoteCommand {

    @Option(names = "--state", paramLabel = "STATE", description = "todo (the default), snoozed, saved or done.")
    private @Nullable String state;

    @Option(
            names = "--action",
            paramLabel = "ACTION",
            description = "Only what is wanted so, such as review_requested; several with commas.")
    private @Nullable String action;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description = "Only what is about such a thing, such as merge_request; several with commas.")
    private @Nullable String type;

    @Option(names = "--namespace", paramLabel = "ID", description = "Only what comes from there, or from below it.")
    private @Nullable String namespace;

    @Option(names = "--author", paramLabel = "NAME", description = "Only what they brought about.")
    private @Nullable String author;

    @Option(names = "--sort", paramLabel = "ORDER", description = "recommended (the default), newest or oldest.")
    private @Nullable String sort;

    @Mixin
    private final PageOptions page = new PageOptions();

    InboxListCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = page.get(
                api(),
                InboxCommands.PATH,
                "state",
                state,
                "action",
                action,
                "type",
                type,
                "namespace",
                namespace,
                "author",
                author,
                "sort",
                sort);
        show(this, found);
    }

    /** Prints a page of items. */
    static void show(RemoteCommand command, JsonNode found) {
        command.answer(
                found,
                items -> items.path("items").isEmpty()
                        ? text("list.nothing")
                        : new Table()
                                .column(text("column.id"), "id")
                                .column("", item -> item.path("read").asBoolean(false) ? "" : "*")
                                .column(text("column.wanted"), InboxCommands::wanted)
                                .column(
                                        text("column.by"),
                                        item -> item.path("author").path("name").asString(""))
                                .column(
                                        text("column.where"),
                                        item -> item.path("namespace")
                                                .path("path")
                                                .asString(""))
                                .column(text("column.what"), InboxListCommand::what)
                                .render(items.path("items")));
        command.noteNext(found);
    }

    private static String what(JsonNode item) {
        return item.path("resource").path("title").asString("");
    }
}
