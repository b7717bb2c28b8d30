package io.hiroba.inbox.events;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import java.util.List;
import java.util.Set;

/** Handles events of some types. */
interface HirobaEventHandler {

    /** The types of the events that it wants. */
    Set<String> types();

    void handle(Tx tx, List<Event> events);
}
