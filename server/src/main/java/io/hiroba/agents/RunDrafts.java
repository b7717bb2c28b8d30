package io.hiroba.agents;

import io.hiroba.agents.AgentRunStore.ClaimedRun;
import io.hiroba.agents.RunDraftStore.RunDraft;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.WakeSignal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Publishes what runs write to the readers of all nodes, and wakes the node that carries out a run when it is stopped. Signals only
 * name posts and runs; what there is to read and whether a run may go on stands in the database.
 */
final class RunDrafts {

    private static final String CHANGES = "agentruns";
    private static final String STOPS = "agentstops";

    private final Db db;
    private final CommitSignal commits;
    private final RunDraftStore store = new RunDraftStore();
    private final AgentRunStore runs = new AgentRunStore();

    /** The calls of models on this node, by run. */
    private final Map<String, WakeSignal> calls = new ConcurrentHashMap<>();

    RunDrafts(Db db, CommitSignal commits) {
        this.db = db;
        this.commits = commits;
        commits.listen(STOPS, this::wake);
    }

    private void wake(Set<String> stopped) {
        calls.forEach((run, call) -> {
            if (stopped.contains(run) || stopped.contains(CommitSignal.ANY)) {
                call.raise();
            }
        });
    }

    /** Calls {@code listener} with the posts whose runs have changed on any node. */
    void listen(Consumer<Set<String>> listener) {
        commits.listen(CHANGES, listener);
    }

    /** Tells readers that there is something new to see of a run. Never blocks. */
    void changed(AgentRun run) {
        commits.raise(CHANGES, List.of(run.post().hex()));
    }

    /** Tells readers, and the node that carries the run out, that it was stopped. Never blocks. */
    void stopped(AgentRun run) {
        commits.raise(STOPS, List.of(Ids.hex(run.id())));
        changed(run);
    }

    /** Raises {@code signal} when the run is stopped, until the returned action is run. */
    Runnable onStop(ClaimedRun claim, WakeSignal signal) {
        var key = Ids.hex(claim.run().id());
        calls.put(key, signal);
        return () -> calls.remove(key, signal);
    }

    /** Replaces what readers see of a run; false if the run may not go on here. */
    boolean write(ClaimedRun claim, RunDraft draft) {
        boolean held = db.inTransaction(tx -> store.write(tx, claim, draft));
        if (held) {
            changed(claim.run());
        } else {
            db.useTransaction(tx -> store.delete(tx, claim));
        }
        return held;
    }

    /** Whether the run may go on here. */
    boolean isHeld(ClaimedRun claim) {
        return db.read(reads -> runs.isHeld(reads, claim));
    }
}
