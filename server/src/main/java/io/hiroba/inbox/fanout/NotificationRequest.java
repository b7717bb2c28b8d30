package io.hiroba.inbox.fanout;

import io.hiroba.inbox.Action;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A request to notify people of a resource.
 *
 * @param at when it happened, by the clock of its source
 * @param resolved whether it is resolved already: the item is then created as done
 */
public record NotificationRequest(
        Resource resource, Action action, NotificationAuthor author, Instant at, boolean resolved) {

    /** Times are as the database stores them, so that a repeated request has the same time. */
    public NotificationRequest {
        at = at.truncatedTo(ChronoUnit.MICROS);
    }

    public static NotificationRequest of(Resource resource, Action action, NotificationAuthor author, Instant at) {
        return new NotificationRequest(resource, action, author, at, false);
    }

    NotificationRequest asUnresolved() {
        return new NotificationRequest(resource, action, author, at, false);
    }

    public NotificationRequest asResolved() {
        return new NotificationRequest(resource, action, author, at, true);
    }
}
