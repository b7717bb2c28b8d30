package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "login", description = "Sign in: makes an API token and remembers it in a file that only you can read.")
final class LoginCommand extends RemoteCommand {

    @Option(names = "--email", required = true, paramLabel = "ADDRESS", description = "Your e-mail address.")
    private String email = "";

    @Option(names = "--name", paramLabel = "NAME", description = "The token's name in your list of tokens.")
    private String name = text("login.token-name");

    @Option(
            names = "--code",
            paramLabel = "CODE",
            description = "A code of your authenticator app or a recovery code, if your account has a second factor.")
    private String code = "";

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
        var request = new LinkedHashMap<>(Map.of("email", email, "password", secret, "name", name));
        if (!code.isEmpty()) {
            request.put("code", code);
        }
        var token = token(api, request);
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

    private JsonNode token(Api api, Map<String, String> request) {
        try {
            return api.post("/api/v1/tokens", request);
        } catch (Failure e) {
            // A hint to sign in is no help here.
            throw e.inSignIn();
        }
    }
}
