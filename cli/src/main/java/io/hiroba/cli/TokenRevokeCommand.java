package io.hiroba.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "revoke", description = "End an API token: nothing can be done with it any more.")
final class TokenRevokeCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The token's id, from the list.")
    private String id = "";

    TokenRevokeCommand(Surroundings around) {
        super(around);
    }

    @Override
    void run() {
        api().delete("/api/v1/tokens/" + Paths.segment(id));
        answer(Json.object("revoked", id), done -> "Revoked token %s.".formatted(id));
    }
}
