package io.hiroba.inbox.own;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import java.util.List;
import java.util.Set;

/** One kind of things that events are about. */
interface EventSubject {

    /** The types of the events that it wants. */
    Set<String> types();

    void handle(Tx tx, List<Event> events);
}
