package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "create", description = "Make a user without the detour through e-mail; for admins.")
final class UserCreateCommand extends RemoteCommand {

    @Option(names = "--email", required = true, paramLabel = "ADDRESS", description = "The new user's e-mail address.")
    private String email = "";

    @Option(names = "--nickname", required = true, paramLabel = "NAME", description = "The name others see.")
    private String nickname = "";

    @Option(names = "--admin", description = "Let the user do everything.")
    private boolean admin;

    @Mixin
    private final PasswordInput password = new PasswordInput();

    UserCreateCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var api = api();
        var secret = password.read(environment(), text("input.password-for", email));
        var user = api.post(
                "/api/v1/users", Map.of("email", email, "nickname", nickname, "password", secret, "isAdmin", admin));
        answer(user, made -> text("user.made", nickname, made.path("id").asString("")));
    }
}
