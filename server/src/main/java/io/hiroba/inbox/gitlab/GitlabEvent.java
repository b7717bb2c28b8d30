package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * An event that is being handled: its payload and transaction.
 *
 * @param receivedAt the time of events that have none
 */
record GitlabEvent(Tx tx, ConnectionId connection, String kind, JsonNode root, Instant receivedAt) {

    JsonNode attributes() {
        return root.path("object_attributes");
    }

    JsonNode changes() {
        return root.path("changes");
    }

    String action() {
        return JsonFields.text(attributes(), "action");
    }

    /** The time of the event: the last change of the resource. */
    Instant at(JsonNode resource) {
        return time(resource, "updated_at", "created_at").orElse(receivedAt);
    }

    /** The first of these fields that is a time. None is in the future: whatever came later would be older and be ignored. */
    Optional<Instant> time(JsonNode node, String... names) {
        return JsonFields.time(node, names).map(time -> time.isAfter(receivedAt) ? receivedAt : time);
    }

    /** Whether GitLab itself triggered it, and not the user whom it names. */
    boolean isAutomatic() {
        return JsonFields.flag(attributes(), "system") || JsonFields.flag(root, "system");
    }
}
