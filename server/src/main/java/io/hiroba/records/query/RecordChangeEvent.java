package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.events.Event;
import io.hiroba.records.ProjectId;
import io.hiroba.records.RecordEvents;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An event about one record, or about all that {@code by} imported from {@code first} to {@code last}.
 *
 * @param schema its id or, of an older event, its name
 */
record RecordChangeEvent(ProjectId project, String schema, UserId by, UUID first, UUID last) {

    static boolean isType(String type) {
        return switch (type) {
            case "record-created", "record-changed", "record-deleted", "records-imported" -> true;
            default -> false;
        };
    }

    static List<RecordChangeEvent> of(List<Event> batch) {
        return batch.stream().flatMap(event -> of(event).stream()).toList();
    }

    private static Optional<RecordChangeEvent> of(Event event) {
        return switch (event.type()) {
            case "record-created", "record-changed", "record-deleted" ->
                Optional.of(read(event, event.payload().path("rowId").asString(""), ""));
            case "records-imported" ->
                Optional.of(read(
                        event,
                        event.payload().path("first").asString(""),
                        event.payload().path("last").asString("")));
            default -> Optional.empty();
        };
    }

    private static RecordChangeEvent read(Event event, String first, String last) {
        var payload = event.payload();
        return new RecordChangeEvent(
                ProjectId.parse(payload.path("projectId").asString("")),
                RecordEvents.schema(payload),
                UserId.parse(payload.path("by").asString("")),
                UUID.fromString(first),
                UUID.fromString(last.isEmpty() ? first : last));
    }

    boolean isOne() {
        return first.equals(last);
    }
}
