package io.hiroba.webhooks;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.PublishedEvent;
import io.hiroba.platform.events.PublishedEvents;
import io.hiroba.platform.events.PublishedEvents.Subscriber;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The events that all features publish, by their types and by the events of the log that they are made of. */
final class EventCatalog {

    private final List<PublishedEvents> publishers;
    private final Map<String, PublishedEvents> bySource = new HashMap<>();
    private final Map<String, PublishedEvents> byType = new HashMap<>();

    EventCatalog(List<PublishedEvents> publishers) {
        this.publishers = List.copyOf(publishers);
        for (var publisher : publishers) {
            publisher.sources().forEach(source -> putOnce(bySource, source, publisher));
            publisher.types().forEach(type -> putOnce(byType, type, publisher));
        }
    }

    private static void putOnce(Map<String, PublishedEvents> map, String type, PublishedEvents publisher) {
        if (map.put(type, publisher) != null) {
            throw new IllegalArgumentException("two features publish " + type);
        }
    }

    /** All types, those of a feature together. */
    List<String> types() {
        return publishers.stream()
                .flatMap(publisher -> publisher.types().stream())
                .toList();
    }

    Set<String> sources() {
        return Set.copyOf(bySource.keySet());
    }

    /** Whether an event of the log may become one that the filter lets through. */
    boolean isWanted(String source, Collection<EventFilter> filters) {
        var publisher = bySource.get(source);
        return publisher != null
                && publisher.types().stream()
                        .anyMatch(type -> filters.stream().anyMatch(filter -> filter.matches(type)));
    }

    /** The patterns that no type matches. */
    Stream<String> unknown(Collection<String> patterns) {
        return patterns.stream()
                .filter(pattern -> byType.keySet().stream().noneMatch(type -> EventFilter.matches(pattern, type)));
    }

    /** The scope that a token needs to be told of events of a type. */
    String scope(String type) {
        return Objects.requireNonNull(byType.get(type)).scope();
    }

    /** The scopes that a token needs to be told of all that the filter lets through. */
    Stream<String> scopes(EventFilter filter) {
        return publishers.stream()
                .filter(publisher -> publisher.types().stream().anyMatch(type -> filter.matches(type)))
                .map(PublishedEvents::scope)
                .distinct();
    }

    Optional<PublishedEvent> publish(Event event) {
        return Optional.ofNullable(bySource.get(event.type())).flatMap(publisher -> publisher.publish(event));
    }

    /** Those of the events of each subscriber that they may read, in the order of the log. */
    Map<Subscriber, List<PublishedEvent>> readable(Reads reads, Map<Subscriber, List<PublishedEvent>> events) {
        var readable = new HashMap<Subscriber, List<PublishedEvent>>();
        for (var publisher : publishers) {
            var own = new HashMap<Subscriber, List<PublishedEvent>>();
            events.forEach((subscriber, all) -> {
                var published = all.stream()
                        .filter(event -> publisher.equals(byType.get(event.type())))
                        .toList();
                if (!published.isEmpty()) {
                    own.put(subscriber, published);
                }
            });
            if (!own.isEmpty()) {
                publisher
                        .readable(reads, own)
                        .forEach((subscriber, some) -> readable.computeIfAbsent(subscriber, _ -> new ArrayList<>())
                                .addAll(some));
            }
        }
        readable.values().forEach(all -> all.sort(Comparator.comparingLong(PublishedEvent::id)));
        return readable;
    }
}
