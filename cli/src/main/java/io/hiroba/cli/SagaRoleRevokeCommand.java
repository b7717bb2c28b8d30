package io.hiroba.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "revoke", description = "Take somebody's role from them, as an admin.")
final class SagaRoleRevokeCommand extends RemoteCommand {

    @Parameters(paramLabel = "USER", description = "The user's id.")
    private String user = "";

    SagaRoleRevokeCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        api().delete(SagaRoleCommands.PATH + "/" + UrlPaths.segment(user));
        answer(CliJson.object("revoked", user), done -> "User %s has no role any more.".formatted(user));
    }
}
