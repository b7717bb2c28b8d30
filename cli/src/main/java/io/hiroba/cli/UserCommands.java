package io.hiroba.cli;

import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
        name = "user",
        description = "Users: people and agents.",
        subcommands = {UserCreateCommand.class, UserListCommand.class, UserShowCommand.class})
final class UserCommands extends CommandGroup {

    static String describe(JsonNode user) {
        return Description.of(user)
                .line("id", "id")
                .line("nickname", "nickname")
                .line("e-mail", "email")
                .line("role", UserCommands::role)
                .line("kind", "kind")
                .line("AI model", "aiModel")
                .line(
                        "introduction",
                        node -> node.path("introduction").path("markdown").asString(""))
                .line("since", "createdAt")
                .toString();
    }

    static String role(JsonNode user) {
        return user.path("isAdmin").asBoolean(false) ? "admin" : "member";
    }
}
