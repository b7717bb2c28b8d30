package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
        name = "user",
        description = "Users: people and agents.",
        subcommands = {UserCreateCommand.class, UserListCommand.class, UserShowCommand.class})
final class UserCommands extends CommandGroup {

    static String describe(JsonNode user) {
        return Description.of(user)
                .line(text("user.id"), "id")
                .line(text("user.nickname"), "nickname")
                .line(text("user.email"), "email")
                .line(text("user.role"), UserCommands::role)
                .line(text("user.kind"), "kind")
                .line(text("user.ai-model"), "aiModel")
                .line(
                        text("user.introduction"),
                        node -> node.path("introduction").path("markdown").asString(""))
                .line(text("user.since"), "createdAt")
                .toString();
    }

    static String role(JsonNode user) {
        return user.path("isAdmin").asBoolean(false) ? text("user.admin") : text("user.member");
    }
}
