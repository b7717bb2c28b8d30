package io.hiroba.cli;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "watch", description = "Follow a saga until it has ended, or cannot go on without a person.")
final class SagaWatchCommand extends RemoteCommand {

    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    @Parameters(paramLabel = "ID", description = "The saga's id.")
    private String id = "";

    private final Set<String> told = new HashSet<>();

    /** Whether the server has streams left for this user. */
    private boolean welcome = true;

    SagaWatchCommand(Surroundings around) {
        super(around);
    }

    @Override
    void run() {
        var api = api();
        boolean over = isOver(api);
        while (!over) {
            if (welcome && api.follow(SagaCommands.path(id) + "/events", line -> isLast(api, line))) {
                over = welcome;
                continue;
            }
            // A stream ends after a while, or is not to be had: then a look each second tells as much.
            LockSupport.parkNanos(PAUSE);
            over = isOver(api);
        }
    }

    /** What an event says is asked for again, so that nothing is missed. */
    private boolean isLast(Api api, String line) {
        if (line.equals("event: full")) {
            welcome = false;
            return true;
        }
        return line.startsWith("data:") && isOver(api);
    }

    /** Tells what is new, and whether that was the last of it. */
    private boolean isOver(Api api) {
        var saga = api.get(SagaCommands.path(id));
        boolean stuck = saga.path("stuck").asBoolean(false);
        boolean over = SagaCommands.isTerminal(saga) || stuck;
        SagaText.attempts(saga).filter(told::add).forEach(this::note);
        if (over) {
            answer(saga, SagaWatchCommand::ending);
        } else if (told.add(SagaCommands.status(saga))) {
            note(SagaCommands.status(saga));
        }
        return over;
    }

    private static String ending(JsonNode saga) {
        var reason = saga.path("errorMessage").asString("");
        return SagaCommands.status(saga) + (reason.isEmpty() ? "" : ": " + reason);
    }
}
