package io.hiroba.platform.events;

import io.hiroba.platform.db.Tx;
import java.util.List;

/** A feature's reaction to events of the log. */
@FunctionalInterface
public interface EventHandler {

    /**
     * Handles events of some partitions, in order within each. All effects go through {@code tx}, which also advances the
     * cursors, so that each event takes effect exactly once. An exception rolls everything back, and the events come again.
     */
    void handle(Tx tx, List<Event> batch);

    /**
     * Whether events of this type change anything. The handler gets the others too, with the next batch or poll of all, but is not
     * woken for them: most acts concern one or two consumers of all, and a batch costs each of them several statements.
     */
    default boolean isAffectedBy(String type) {
        return true;
    }
}
