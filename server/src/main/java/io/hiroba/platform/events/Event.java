package io.hiroba.platform.events;

import io.hiroba.platform.id.Ids;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/** A row of the event log as consumers see it. */
public record Event(int partition, long id, JsonNode payload) {

    /** The type of the event, for example {@code like}. */
    public String type() {
        return payload.path("type").asString("");
    }

    /** When it was appended, to about a second. */
    public Instant at() {
        return Ids.createdAt(id);
    }
}
