package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "login", description = "Sign in: makes an API token and remembers it in a file that only you can read.")
final class LoginCommand extends RemoteCommand {

    @Option(names = "--email", required = true, paramLabel = "ADDRESS", description = "Your e-mail address.")
    private String email = "";

    @Option(names = "--name", paramLabel = "NAME", description = "The token's name in your list of tokens.")
    private String name = text("login.token-name");

    @Mixin
    private final PasswordInput password = new PasswordInput();

    LoginCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = anonymousApi();
        if (api.server().isOpenToReaders()) {
            warn(text("login.not-encrypted", api.server().uri()));
        }
        var secret = password.read(environment(), text("input.password-of", email));
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
                done -> text("login.done", api.server().uri(), email));
    }
}
