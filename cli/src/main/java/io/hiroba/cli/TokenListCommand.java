package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "list", description = "List your API tokens.")
final class TokenListCommand extends RemoteCommand {

    @Mixin
    private final PageOptions page = new PageOptions();

    TokenListCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = page.get(api(), "/api/v1/tokens");
        answer(
                found,
                tokens -> new Table()
                        .column(text("column.id"), "id")
                        .column(text("column.name"), "name")
                        .column(text("column.created"), "createdAt")
                        .column(text("column.last-used"), "lastUsedAt")
                        .column(text("column.expires"), "expiresAt")
                        .render(tokens.path("items")));
        noteNext(found);
    }
}
