package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "create", description = "Make an API token. It takes the password: a token alone cannot make others.")
final class TokenCreateCommand extends RemoteCommand {

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "What the token is for.")
    private String name = "";

    @Option(names = "--email", paramLabel = "ADDRESS", description = "Whose token, if not yours.")
    private @Nullable String email;

    @Mixin
    private final PasswordInput password = new PasswordInput();

    TokenCreateCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(create(), made -> made.path("token").asString(""));
        note(text("token.keep"));
    }

    private JsonNode create() {
        var owner = email == null ? api().get("/api/v1/me").path("email").asString("") : email;
        var secret = password.read(environment(), text("input.password-of", owner));
        return anonymousApi().post("/api/v1/tokens", Map.of("email", owner, "password", secret, "name", name));
    }
}
