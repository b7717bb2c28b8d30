package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

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
        answer(CliJson.object("revoked", user), done -> text("saga.role-revoked", user));
    }
}
