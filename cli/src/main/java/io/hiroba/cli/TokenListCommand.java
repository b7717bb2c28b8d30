package io.hiroba.cli;

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
                        .column("ID", "id")
                        .column("NAME", "name")
                        .column("CREATED", "createdAt")
                        .column("LAST USED", "lastUsedAt")
                        .column("EXPIRES", "expiresAt")
                        .render(tokens.path("items")));
        noteNext(found);
    }
}
