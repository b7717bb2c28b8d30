package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/** Follows a saga to its end and sets the exit code of the command by its status. */
final class SagaFollower {

    private static final long RECONNECT_INTERVAL = TimeUnit.SECONDS.toNanos(1);

    private final RemoteCommand command;
    private final Api api;
    private final String id;
    private final Set<String> printed = new HashSet<>();

    /** Whether the server accepts another stream of this user. */
    private boolean streamAvailable = true;

    SagaFollower(RemoteCommand command, Api api, String id) {
        this.command = command;
        this.api = api;
        this.id = id;
    }

    void follow() {
        boolean ended = hasEnded();
        while (!ended) {
            if (streamAvailable && api.follow(SagaCommands.path(id) + "/events", this::isLast)) {
                ended = streamAvailable;
                continue;
            }
            // Without a stream, or after it ended, the saga is polled every second.
            LockSupport.parkNanos(RECONNECT_INTERVAL);
            ended = hasEnded();
        }
    }

    /** Reads the saga again at each event, so that nothing is missed. */
    private boolean isLast(String line) {
        if (line.equals("event: full")) {
            streamAvailable = false;
            return true;
        }
        return line.startsWith("data:") && hasEnded();
    }

    /** Prints what is new, and returns whether the saga has ended or is stuck. */
    private boolean hasEnded() {
        var saga = api.get(SagaCommands.path(id));
        boolean ended = SagaCommands.isTerminal(saga) || saga.path("stuck").asBoolean(false);
        SagaText.attempts(saga).filter(printed::add).forEach(command::note);
        if (ended) {
            command.answer(saga, SagaFollower::ending);
            command.exitWith(SagaCommands.exitCode(saga));
        } else if (printed.add(SagaCommands.status(saga))) {
            command.note(SagaCommands.status(saga));
        }
        return ended;
    }

    private static String ending(JsonNode saga) {
        var reason = saga.path("errorMessage").asString("");
        return reason.isEmpty()
                ? SagaCommands.status(saga)
                : text("saga.attempt-error", SagaCommands.status(saga), reason);
    }
}
