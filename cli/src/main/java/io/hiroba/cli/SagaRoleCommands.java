package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(
        name = "role",
        description = "Who may look at sagas (auditor) and act on them (operator), besides the admins.",
        subcommands = {SagaRoleGrantCommand.class, SagaRoleListCommand.class, SagaRoleRevokeCommand.class})
final class SagaRoleCommands extends CommandGroup {

    static final String PATH = "/api/v1/saga-roles";
}
