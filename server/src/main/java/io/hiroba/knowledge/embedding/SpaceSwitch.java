package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.Space.State;
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
 * Puts a space that is complete in the place of the one that is searched, in one transaction: a search finds the one or
 * the other. A search that had the old one in mind finds its table gone, and asks again which it is.
 */
public final class SpaceSwitch {

    private static final Logger log = LoggerFactory.getLogger(SpaceSwitch.class);
    /** Of the chunks: whoever waits for the last one to be mended by hand may wait for ever. */
    private static final double MOST_DEAD = 0.05;
    /** Searches wait behind it, so it does not wait long itself, and comes back. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    /** Less than it takes the database to call others who wait in a circle with it to account: it goes, not they. */
    private static final Duration LITTLE_PATIENCE = Duration.ofMillis(500);

    private final Db db;
    private final Spaces spaces;
    private final EventLog events;
    private final SpaceStore store = new SpaceStore();

    public SpaceSwitch(Db db, Spaces spaces, EventLog events) {
        this.db = db;
        this.spaces = spaces;
        this.events = events;
    }

    /** The spaces there are, after a switch if it was time for one. */
    List<Space> look() {
        var living = spaces.refresh();
        var building = in(living, State.BUILDING);
        if (building.isEmpty() || !isComplete(building.get()) || !switchTo(building.get())) {
            return living;
        }
        log.info("Searches go by {} from now on", building.get().model());
        return spaces.refresh();
    }

    private boolean isComplete(Space space) {
        return db.read(reads -> store.isComplete(reads, space, MOST_DEAD));
    }

    private boolean switchTo(Space building) {
        try {
            return db.inTransaction(tx -> {
                store.lock(tx);
                var living = store.living(tx);
                var old = in(living, State.ACTIVE);
                if (!living.contains(building) || old.isEmpty()) {
                    return false;
                }
                // As a search does, vectors first; a writer does it the other way round, but is quickly done.
                store.keepOut(tx, old.get(), PATIENCE);
                store.keepOut(tx, LITTLE_PATIENCE);
                if (!store.isComplete(tx, building, MOST_DEAD)) {
                    return false;
                }
                store.retire(tx, old.get());
                store.activate(tx, building);
                tellOfDead(tx, building);
                return true;
            });
        } catch (DbException e) {
            if (!SqlState.is(e, SqlState.LOCK_NOT_AVAILABLE)) {
                throw e;
            }
            log.info("{} is complete; the switch waits for a quieter moment", building.model());
            return false;
        }
    }

    private void tellOfDead(Tx tx, Space space) {
        events.append(
                tx,
                store.dead(tx, space).stream()
                        .map(dead -> EmbeddingQueue.dead(dead.source(), dead.code(), dead.chunks()))
                        .toList());
    }

    private static Optional<Space> in(List<Space> spaces, State state) {
        return spaces.stream().filter(space -> space.state() == state).findFirst();
    }
}
