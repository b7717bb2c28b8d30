package io.hiroba.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "login", description = "Sign in: makes an API token and remembers it in a file that only you can read.")
final class LoginCommand extends RemoteCommand {

    @Option(names = "--email", required = true, paramLabel = "ADDRESS", description = "Your e-mail address.")
    private String email = "";

    @Option(names = "--name", paramLabel = "NAME", description = "The token's name in your list of tokens.")
    private String name = "command line";

    @Mixin
    private final PasswordInput password = new PasswordInput();

    LoginCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = anonymousApi();
        if (api.server().isOpenToReaders()) {
            warn("Careful: %s is not encrypted, so others on the way can read the password."
                    .formatted(api.server().uri()));
        }
        var secret = password.read(environment(), "Password of " + email);
        var token = api.post("/api/v1/tokens", Map.of("email", email, "password", secret, "name", name));
        var file = new CredentialsFile(environment());
        file.write(new CliCredentials(
                api.server(), token.path("token").asString(""), token.path("id").asString("")));
        answer(
                CliJson.object(
                        "url",
                        api.server().uri(),
                        "email",
                        email,
                        "tokenId",
                        token.path("id").asString("")),
                done -> "Signed in at %s as %s.".formatted(api.server().uri(), email));
    }
}
