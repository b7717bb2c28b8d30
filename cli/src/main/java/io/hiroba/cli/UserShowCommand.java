package io.hiroba.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "show", description = "Show one user.")
final class UserShowCommand extends RemoteCommand {

    @Parameters(paramLabel = "ID", description = "The user's id, 16 hex digits.")
    private String id = "";

    UserShowCommand(Surroundings around) {
        super(around);
    }

    @Override
    void run() {
        answer(api().get("/api/v1/users/" + Paths.segment(id)), UserCommands::describe);
    }
}
