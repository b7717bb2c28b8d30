package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "dlq",
        description = "List chunks that got no vector, or have it tried again: dlq retry, or dlq retry ID.")
final class KnowledgeDlqCommand extends RemoteCommand {

    private static final String LETTERS = KnowledgeCommands.PATH + "/dlq";

    @Parameters(index = "0", arity = "0..1", paramLabel = "retry", description = "Try again.")
    private @Nullable String action;

    @Parameters(index = "1", arity = "0..1", paramLabel = "ID", description = "Only this one.")
    private @Nullable String id;

    @Mixin
    private final PageOptions page = new PageOptions();

    KnowledgeDlqCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        if (action == null) {
            list();
        } else if (!action.equals("retry")) {
            throw Failure.usage(text("knowledge.not-an-action", action));
        } else if (id == null) {
            answer(
                    api().post(LETTERS + "/retry-all", "application/json", ""),
                    done -> text("knowledge.retried-all", done.path("retried").asLong(0)));
        } else {
            answer(
                    api().post(LETTERS + "/" + UrlPaths.segment(id) + "/retry", "application/json", ""),
                    done -> text("knowledge.retried"));
        }
    }

    private void list() {
        var found = page.get(api(), LETTERS);
        answer(
                found,
                letters -> letters.path("items").isEmpty()
                        ? text("list.none")
                        : new Table()
                                .column(text("column.id"), "id")
                                .column(text("column.error"), "errorCode")
                                .column(text("column.tries"), "retryCount")
                                .column(text("column.since"), "createdAt")
                                .column(text("column.source"), "sourceTitle")
                                .render(letters.path("items")));
        noteNext(found);
    }
}
