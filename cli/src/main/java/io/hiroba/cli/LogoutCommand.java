package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Optional;
import picocli.CommandLine.Command;

@Command(name = "logout", description = "Revoke the remembered token and forget it.")
final class LogoutCommand extends RemoteCommand {

    LogoutCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var file = new CredentialsFile(environment());
        var known = file.read();
        if (known.isPresent()) {
            revoke(known.get());
            file.delete();
        }
        answer(
                CliJson.object("signedOut", known.isPresent()),
                done -> known.map(was -> text("logout.done", was.server().uri()))
                        .orElseGet(() -> text("logout.not-signed-in")));
    }

    /** A token that the server rejects counts as revoked; after any other failure it is kept, to try again. */
    private static void revoke(CliCredentials known) {
        try {
            new Api(known.server(), Optional.of(known.token()))
                    .delete("/api/v1/tokens/" + UrlPaths.segment(known.tokenId()));
        } catch (Failure failure) {
            if (failure.status() != 401 && failure.status() != 404) {
                throw failure;
            }
        }
    }
}
