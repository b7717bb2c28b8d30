package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "list", description = "List users.")
final class UserListCommand extends RemoteCommand {

    @Option(names = "--prefix", paramLabel = "TEXT", description = "Only those whose nickname begins with it.")
    private @Nullable String prefix;

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            description = "name, newest or oldest; with --prefix always by name.")
    private @Nullable String order;

    @Mixin
    private final PageOptions page = new PageOptions();

    UserListCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = page.get(api(), "/api/v1/users", "nicknamePrefix", prefix, "order", order);
        answer(
                found,
                users -> new Table()
                        .column(text("column.id"), "id")
                        .column(text("column.nickname"), "nickname")
                        .column(text("column.email"), "email")
                        .column(text("column.role"), UserCommands::role)
                        .column(text("column.posts"), user -> count(user, "countPosts"))
                        .column(text("column.followers"), user -> count(user, "countFollowers"))
                        .column(text("column.followees"), user -> count(user, "countFollowees"))
                        .render(users.path("items")));
        noteNext(found);
    }

    private static String count(JsonNode user, String field) {
        return Long.toString(user.path(field).asLong(0));
    }
}
