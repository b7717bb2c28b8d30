package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.WorkflowLookup;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Lets sagas of workflows with {@code maxRunning} begin as others of them end. A node looks at a workflow when one of its sagas is
 * started or ends there; for what a node that died has left, all look now and then, at workflows and not at each saga.
 *
 * <p>Each saga is let in by a transaction of its own, so that no two are locked at once.
 */
final class Places implements AutoCloseable {

    private final Db db;
    private final WorkflowLookup definitions;
    private final WakeSignal claims;
    private final Duration poll;
    private final PlaceStore store = new PlaceStore();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final WakeSignal signal = new WakeSignal();
    private long lastLook = System.nanoTime();
    private @Nullable WorkLoop loop;

    /**
     * @param claims has sagas claimed that were made due
     * @param poll the interval at which all workflows are looked at
     */
    Places(Db db, WorkflowLookup definitions, WakeSignal claims, Duration poll) {
        this.db = db;
        this.definitions = definitions;
        this.claims = claims;
        this.poll = poll;
    }

    void open() {
        loop = WorkLoop.whenSignalled("saga places", 1, signal, poll, () -> {
            work();
            return false;
        });
    }

    /** Has sagas of the workflow let in: one was started, or has ended. */
    void look(Workflow workflow) {
        if (workflow.isLimited()) {
            look(workflow.name());
        }
    }

    void look(String workflow) {
        asked.add(workflow);
        signal.raise();
    }

    private void work() {
        var workflows = new HashSet<>(asked);
        asked.removeAll(workflows);
        if (workflows.isEmpty() || System.nanoTime() - lastLook >= poll.toNanos()) {
            lastLook = System.nanoTime();
            workflows.addAll(db.read(store::waiting));
        }
        for (var workflow : workflows) {
            while (db.inTransaction(tx -> admit(tx, workflow))) {
                claims.raise();
            }
        }
    }

    /** Lets one in; false if nobody waits or there is no room. */
    private boolean admit(Tx tx, String workflow) {
        store.lock(tx, workflow);
        var first = store.first(tx, workflow).orElse(null);
        if (first == null) {
            return false;
        }
        // What the newest version says holds for all, so that a limit can be raised for those that wait.
        var definition = definitions.startable(tx, workflow).or(() -> definitions.find(tx, workflow, first.version()));
        int max = definition
                .flatMap(found -> Optional.ofNullable(found.maxRunning()))
                .orElse(Integer.MAX_VALUE);
        if (store.held(tx, workflow) >= max) {
            return false;
        }
        store.admit(tx, first.id());
        return true;
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.close();
        }
    }
}
