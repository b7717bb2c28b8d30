package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "grant", description = "Make somebody an auditor or an operator, as an admin.")
final class SagaRoleGrantCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "USER", description = "The user's id.")
    private String user = "";

    @Parameters(index = "1", paramLabel = "ROLE", description = "auditor or operator.")
    private String role = "";

    SagaRoleGrantCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(
                api().put(SagaRoleCommands.PATH + "/" + UrlPaths.segment(user), Map.of("role", role)),
                done -> text("saga.role-granted", user, role));
    }
}
