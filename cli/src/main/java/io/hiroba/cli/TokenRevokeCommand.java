package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "revoke", description = "End an API token: nothing can be done with it any more.")
final class TokenRevokeCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The token's id, from the list.")
    private String id = "";

    TokenRevokeCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        api().delete("/api/v1/tokens/" + UrlPaths.segment(id));
        answer(CliJson.object("revoked", id), done -> text("token.revoked", id));
    }
}
