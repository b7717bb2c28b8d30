package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "projects", description = "List the projects that you are a member of, newest first.")
final class RecordsProjectsCommand extends RemoteCommand {

    @Mixin
    private final PageOptions page = new PageOptions();

    RecordsProjectsCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var found = page.get(api(), RecordsCommands.PATH);
        answer(
                found,
                projects -> new Table()
                        .column(text("column.id"), "id")
                        .column(text("column.name"), "name")
                        .column(text("column.role"), "role")
                        .column(text("column.since"), "createdAt")
                        .render(projects.path("items")));
        noteNext(found);
    }
}
