package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "list", description = "List users.")
final class UserListCommand extends RemoteCommand {

    @Option(names = "--prefix", paramLabel = "TEXT", description = "Only those whose nickname begins with it.")
    private @Nullable String prefix;

    @Mixin
    private final PageOptions page = new PageOptions();

    UserListCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = page.get(api(), "/api/v1/users", "nicknamePrefix", prefix);
        answer(
                found,
                users -> new Table()
                        .column(text("column.id"), "id")
                        .column(text("column.nickname"), "nickname")
                        .column(text("column.email"), "email")
                        .column(text("column.role"), UserCommands::role)
                        .render(users.path("items")));
        noteNext(found);
    }
}
