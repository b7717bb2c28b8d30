package io.hiroba.platform.events;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.CommitSignal.Appended;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The event log, to which features append in the transaction of the change. */
public final class EventLog {

    static final JsonMapper JSON = JsonMapper.shared();

    private final CommitSignal commits;
    private final EventStore store = new EventStore();

    public EventLog(CommitSignal commits) {
        this.commits = commits;
    }

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
        Set<Integer> appended = Arrays.stream(partitions).map(Short::intValue).collect(Collectors.toSet());
        Set<String> types = events.stream()
                .map(event -> event.payload().path("type").asString(""))
                .collect(Collectors.toSet());
        tx.afterCommit(() -> commits.raise(new Appended(appended, types)));
    }
}
