package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingSpace.State;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the active space with a complete one in one transaction: a search uses either of them. A search that finds
 * the old table missing looks up the active space again.
 */
final class SpaceSwitch {

    private static final Logger log = LoggerFactory.getLogger(SpaceSwitch.class);
    /** The share of failed chunks at which a space still counts as complete. */
    private static final double MAX_DEAD_SHARE = 0.05;
    /** Searches queue behind the lock, so it gives up soon and is retried. */
    private static final Duration VECTORS_LOCK_TIMEOUT = Duration.ofSeconds(1);
    /** Less than the deadlock timeout: in a deadlock this transaction is the one to fail. */
    private static final Duration CHUNKS_LOCK_TIMEOUT = Duration.ofMillis(500);

    private final Db db;
    private final EmbeddingSpaces spaces;
    private final EventLog events;
    private final SpaceStore store = new SpaceStore();

    SpaceSwitch(Db db, EmbeddingSpaces spaces, EventLog events) {
        this.db = db;
        this.spaces = spaces;
        this.events = events;
    }

    /** The unretired spaces, after a switch if one was complete. */
    List<EmbeddingSpace> switchIfComplete() {
        var unretired = spaces.refresh();
        var building = in(unretired, State.BUILDING);
        if (building.isEmpty() || !isComplete(building.get()) || !switchTo(building.get())) {
            return unretired;
        }
        log.info("Search switched to {}", building.get().model());
        return spaces.refresh();
    }

    private boolean isComplete(EmbeddingSpace space) {
        return db.read(reads -> store.isComplete(reads, space, MAX_DEAD_SHARE));
    }

    private boolean switchTo(EmbeddingSpace building) {
        try {
            return db.inTransaction(tx -> {
                store.lock(tx);
                var unretired = store.unretired(tx);
                var old = in(unretired, State.ACTIVE);
                if (!unretired.contains(building) || old.isEmpty()) {
                    return false;
                }
                // Locks vectors first, as a search does; a writer locks them in reverse order, but briefly.
                store.lockTable(tx, old.get(), VECTORS_LOCK_TIMEOUT);
                store.lockTable(tx, CHUNKS_LOCK_TIMEOUT);
                if (!store.isComplete(tx, building, MAX_DEAD_SHARE)) {
                    return false;
                }
                store.retire(tx, old.get());
                store.activate(tx, building);
                appendDeadEvents(tx, building);
                return true;
            });
        } catch (DbException e) {
            if (!SqlState.is(e, SqlState.LOCK_NOT_AVAILABLE)) {
                throw e;
            }
            log.info("{} is complete; the switch is retried because of a lock", building.model());
            return false;
        }
    }

    private void appendDeadEvents(Tx tx, EmbeddingSpace space) {
        events.append(
                tx,
                store.dead(tx, space).stream()
                        .map(dead -> EmbeddingQueue.dead(dead.source(), dead.code(), dead.chunks()))
                        .toList());
    }

    private static Optional<EmbeddingSpace> in(List<EmbeddingSpace> spaces, State state) {
        return spaces.stream().filter(space -> space.state() == state).findFirst();
    }
}
