package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(name = "list", description = "List your API tokens.")
final class TokenListCommand extends RemoteCommand {

    TokenListCommand(Surroundings around) {
        super(around);
    }

    @Override
    void run() {
        var page = api().get("/api/v1/tokens");
        answer(
                page,
                tokens -> new Table()
                        .column("ID", "id")
                        .column("NAME", "name")
                        .column("CREATED", "createdAt")
                        .column("LAST USED", "lastUsedAt")
                        .render(tokens.path("items")));
        noteNext(page);
    }
}
