package io.hiroba.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "list", description = "List users.")
final class UserListCommand extends RemoteCommand {

    @Option(names = "--prefix", paramLabel = "TEXT", description = "Only those whose nickname begins with it.")
    private @Nullable String prefix;

    @Option(names = "--limit", paramLabel = "N", description = "How many at most.")
    private @Nullable Integer limit;

    @Option(names = "--after", paramLabel = "CURSOR", description = "Go on after the page that ended with this.")
    private @Nullable String after;

    UserListCommand(Surroundings around) {
        super(around);
    }

    @Override
    void run() {
        var page = api().get("/api/v1/users" + Paths.query("nicknamePrefix", prefix, "limit", limit, "after", after));
        answer(
                page,
                users -> new Table()
                        .column("ID", "id")
                        .column("NICKNAME", "nickname")
                        .column("E-MAIL", "email")
                        .column("ROLE", user -> user.path("isAdmin").asBoolean(false) ? "admin" : "member")
                        .render(users.path("items")));
        noteNext(page);
    }
}
