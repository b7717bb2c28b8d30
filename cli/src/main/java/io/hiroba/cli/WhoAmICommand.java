package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(name = "whoami", description = "Show who you are to the server.")
final class WhoAmICommand extends RemoteCommand {

    WhoAmICommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(api().get("/api/v1/me"), UserCommands::describe);
    }
}
