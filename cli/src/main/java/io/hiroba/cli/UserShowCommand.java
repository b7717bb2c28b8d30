package io.hiroba.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "show", description = "Show one user.")
final class UserShowCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The user's id, 16 hex digits.")
    private String id = "";

    UserShowCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(api().get("/api/v1/users/" + UrlPaths.segment(id)), UserCommands::describe);
    }
}
