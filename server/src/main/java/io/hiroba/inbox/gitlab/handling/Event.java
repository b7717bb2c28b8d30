package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/**
 * What a webhook tells of, while it is being handled.
 *
 * @param receivedAt stands for the time of what does not say when it happened
 */
record Event(Tx tx, ConnectionId connection, String kind, JsonNode root, Instant receivedAt) {

    JsonNode attributes() {
        return root.path("object_attributes");
    }

    JsonNode changes() {
        return root.path("changes");
    }

    String action() {
        return Fields.text(attributes(), "action");
    }

    /** When it happened: the resource changed then for the last time. */
    Instant at(JsonNode resource) {
        return Fields.time(resource, "updated_at", "created_at").orElse(receivedAt);
    }

    /** Whether GitLab itself did it, and not whom it names. */
    boolean isAutomatic() {
        return Fields.flag(attributes(), "system") || Fields.flag(root, "system");
    }
}
