package io.hiroba.platform.events;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The event log, to which features append in the transaction of the change. */
public final class EventLog {

    static final JsonMapper JSON = JsonMapper.shared();

    /** The code of the notice with which the database names the partitions and types of appended events. */
    public static final String APPENDED = "HB001";

    private final EventStore store = new EventStore();

    /** An event to append: its recipient, and a payload with at least a {@code type}. */
    public record NewEvent(long recipient, ObjectNode payload) {

        public static NewEvent of(long recipient, String type) {
            return new NewEvent(recipient, JSON.createObjectNode().put("type", type));
        }

        public NewEvent with(String field, String value) {
            payload.put(field, value);
            return this;
        }

        public NewEvent with(String field, long value) {
            payload.put(field, value);
            return this;
        }
    }

    /**
     * Events that were appended, of one type and in one partition.
     *
     * @param type null if it is not known
     */
    record Appended(int partition, @Nullable String type) {

        private static final Pattern KEY = Pattern.compile("([0-9]{1,3})(?:-([0-9A-Za-z-]+))?");

        /** Reads the key of a signal; none if it is not one of events. */
        static Stream<Appended> parse(String key) {
            var parts = KEY.matcher(key);
            return parts.matches()
                    ? Stream.of(new Appended(Integer.parseInt(parts.group(1)), parts.group(2)))
                    : Stream.empty();
        }
    }

    /** The topic of {@link CommitSignal} under which the partitions of new events are signalled, with their types. */
    public static final String TOPIC = "events";

    /**
     * A part of the log, in the order of the ids.
     *
     * @param position the id up to which the log was read; nothing can appear at or below it any more
     * @param more whether there may be more at once
     */
    public record LogPage(List<Event> events, long position, boolean more) {

        public LogPage {
            events = List.copyOf(events);
        }
    }

    /** Reads events of some types out of the {@code limit} that come after an id, as far as the log is complete. */
    public LogPage read(Reads reads, long after, Collection<String> types, int limit) {
        long horizon = store.horizon(reads);
        var scanned = store.scan(reads, after, horizon, types, limit);
        boolean more = scanned.size() >= limit;
        return new LogPage(
                scanned.stream().filter(event -> !event.payload().isNull()).toList(),
                more ? scanned.getLast().id() : Math.max(after, horizon),
                more);
    }

    /** An event, if it is kept. */
    public Optional<Event> find(Reads reads, long id) {
        return store.find(reads, id);
    }

    /** The id up to which the log is complete at this moment. */
    public long end(Reads reads) {
        return store.horizon(reads);
    }

    public void append(Tx tx, NewEvent event) {
        append(tx, List.of(event));
    }

    /** Appends all of {@code events} in one statement; those of one recipient keep their order. */
    public void append(Tx tx, List<NewEvent> events) {
        if (events.isEmpty()) {
            return;
        }
        Short[] partitions =
                events.stream().map(event -> Partitions.of(event.recipient())).toArray(Short[]::new);
        String[] payloads =
                events.stream().map(event -> event.payload().toString()).toArray(String[]::new);
        store.append(tx, partitions, payloads);
    }
}
