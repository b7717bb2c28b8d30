package io.hiroba.platform.events;

import io.hiroba.platform.id.Ids;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A row of the event log as consumers see it.
 *
 * @param traceparent the span in which it was appended, where that is recorded
 */
public record Event(
        int partition, long id, JsonNode payload, @Nullable String traceparent) {

    /** An event that was appended in no trace. */
    public Event(int partition, long id, JsonNode payload) {
        this(partition, id, payload, null);
    }

    /** The type of the event, for example {@code like}. */
    public String type() {
        return payload.path("type").asString("");
    }

    /** When it was appended, to about a second. */
    public Instant at() {
        return Ids.createdAt(id);
    }
}
