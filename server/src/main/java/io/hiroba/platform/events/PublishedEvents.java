package io.hiroba.platform.events;

import io.hiroba.platform.db.Reads;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The events of a feature that programs outside may follow. */
public interface PublishedEvents {

    /** The scope that a token needs to follow them, for example {@code posts:read}. */
    String scope();

    /** The types that they are published as, for example {@code post.created}. */
    List<String> types();

    /** The types in the event log that they are made of. */
    Set<String> sources();

    /** An event of one of {@link #sources} as it is published; empty if it is not. */
    Optional<PublishedEvent> publish(Event event);

    /** Those of {@code events} that the subscriber may read at this moment, in the same order. */
    List<PublishedEvent> readable(Reads reads, Subscriber subscriber, List<PublishedEvent> events);

    /** The account that follows events, and whether it has the rights of an admin. */
    record Subscriber(long user, boolean admin) {}
}
