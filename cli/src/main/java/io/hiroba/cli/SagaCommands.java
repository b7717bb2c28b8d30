package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Set;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
        name = "saga",
        description = "Sagas: workflows that are being carried out, or undone.",
        subcommands = {
            SagaStartCommand.class,
            SagaListCommand.class,
            SagaShowCommand.class,
            SagaWatchCommand.class,
            SagaSignalCommand.class,
            SagaCancelCommand.class,
            SagaCompensateCommand.class,
            SagaRetryCommand.class,
            SagaResolveCommand.class,
            SagaPayloadCommand.class,
            SagaMigrateCommand.class,
            SagaBulkCommand.class,
            SagaServiceCommands.class,
            SagaRoleCommands.class,
        })
final class SagaCommands extends CommandGroup {

    static final String PATH = "/api/v1/sagas";

    private static final Set<String> TERMINAL = Set.of("COMPLETED", "FAILED", "CANCELLED");

    static String path(String id) {
        return PATH + "/" + UrlPaths.segment(id);
    }

    static String status(JsonNode saga) {
        // As pages and filters say it: nothing runs while a person is waited for.
        var status = saga.path("waitingFor").asString("").isEmpty() || isTerminal(saga)
                ? saga.path("status").asString("")
                : "WAITING";
        return saga.path("stuck").asBoolean(false) ? text("saga.stuck", status) : status;
    }

    /** The exit code of a command that waited for the saga. */
    static int exitCode(JsonNode saga) {
        if (saga.path("stuck").asBoolean(false)) {
            return Cli.SAGA_STUCK;
        }
        return switch (saga.path("status").asString("")) {
            case "FAILED" -> Cli.SAGA_FAILED;
            case "CANCELLED" -> Cli.SAGA_CANCELLED;
            default -> 0;
        };
    }

    static boolean isTerminal(JsonNode saga) {
        return TERMINAL.contains(saga.path("status").asString(""));
    }
}
