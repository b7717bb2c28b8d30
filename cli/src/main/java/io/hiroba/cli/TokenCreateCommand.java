package io.hiroba.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
        name = "create",
        description = "Make an API token, for yourself or, with --email, for one whose password you know.")
final class TokenCreateCommand extends RemoteCommand {

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "What the token is for.")
    private String name = "";

    @Option(names = "--email", paramLabel = "ADDRESS", description = "Whose token, if not your own.")
    private @Nullable String email;

    @Mixin
    private final PasswordInput password = new PasswordInput();

    TokenCreateCommand(Surroundings around) {
        super(around);
    }

    @Override
    void run() {
        answer(create(), made -> made.path("token").asString(""));
        note("Keep it now: the server shows it only once.");
    }

    private JsonNode create() {
        if (email == null) {
            return api().post("/api/v1/tokens", Map.of("name", name));
        }
        var secret = password.read(around(), "Password of " + email);
        return anonymousApi().post("/api/v1/tokens", Map.of("email", email, "password", secret, "name", name));
    }
}
