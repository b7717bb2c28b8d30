package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "list", description = "List who has a role, as an admin.")
final class SagaRoleListCommand extends RemoteCommand {

    @Mixin
    private final PageOptions page = new PageOptions();

    SagaRoleListCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = page.get(api(), SagaRoleCommands.PATH);
        answer(
                found,
                roles -> new Table()
                        .column(text("column.user"), "userId")
                        .column(text("column.nickname"), "nickname")
                        .column(text("column.role"), "role")
                        .column(text("column.since"), "grantedAt")
                        .render(roles.path("items")));
        noteNext(found);
    }
}
