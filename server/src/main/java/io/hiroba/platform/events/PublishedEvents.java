package io.hiroba.platform.events;

import io.hiroba.platform.db.Reads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

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

    /** Those of the events of each subscriber that they may read at this moment, in the same order; asked for all together. */
    Map<Subscriber, List<PublishedEvent>> readable(Reads reads, Map<Subscriber, List<PublishedEvent>> events);

    /** Those of the events of each subscriber that pass {@code test}. */
    static Map<Subscriber, List<PublishedEvent>> filtered(
            Map<Subscriber, List<PublishedEvent>> events, BiPredicate<Subscriber, PublishedEvent> test) {
        var passed = new HashMap<Subscriber, List<PublishedEvent>>();
        events.forEach((subscriber, own) -> passed.put(
                subscriber,
                own.stream().filter(event -> test.test(subscriber, event)).toList()));
        return passed;
    }

    /** The account that follows events, and whether it has the rights of an admin. */
    record Subscriber(long user, boolean admin) {}
}
