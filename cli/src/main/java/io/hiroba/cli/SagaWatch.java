package io.hiroba.cli;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/** Follows a saga for a command, which ends with how the saga did. */
final class SagaWatch {

    private static final long RECONNECT_INTERVAL = TimeUnit.SECONDS.toNanos(1);

    private final RemoteCommand command;
    private final Api api;
    private final String id;
    private final Set<String> told = new HashSet<>();

    /** Whether the server has streams left for this user. */
    private boolean welcome = true;

    SagaWatch(RemoteCommand command, Api api, String id) {
        this.command = command;
        this.api = api;
        this.id = id;
    }

    void toTheEnd() {
        boolean over = isOver();
        while (!over) {
            if (welcome && api.follow(SagaCommands.path(id) + "/events", this::isLast)) {
                over = welcome;
                continue;
            }
            // A stream ends after a while, or is not to be had: then a look each second tells as much.
            LockSupport.parkNanos(RECONNECT_INTERVAL);
            over = isOver();
        }
    }

    /** What an event says is asked for again, so that nothing is missed. */
    private boolean isLast(String line) {
        if (line.equals("event: full")) {
            welcome = false;
            return true;
        }
        return line.startsWith("data:") && isOver();
    }

    /** Tells what is new, and whether that was the last of it. */
    private boolean isOver() {
        var saga = api.get(SagaCommands.path(id));
        boolean over = SagaCommands.isTerminal(saga) || saga.path("stuck").asBoolean(false);
        SagaText.attempts(saga).filter(told::add).forEach(command::note);
        if (over) {
            command.answer(saga, SagaWatch::ending);
            command.endWith(SagaCommands.exitCode(saga));
        } else if (told.add(SagaCommands.status(saga))) {
            command.note(SagaCommands.status(saga));
        }
        return over;
    }

    private static String ending(JsonNode saga) {
        var reason = saga.path("errorMessage").asString("");
        return SagaCommands.status(saga) + (reason.isEmpty() ? "" : ": " + reason);
    }
}
