package io.hiroba.knowledge.sessions;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A place in the list of sessions by their last activity. */
public record SessionPosition(Instant lastActiveAt, SessionId id) {

    public static SessionPosition of(Session session) {
        return new SessionPosition(session.lastActiveAt(), session.id());
    }

    /** All that the database keeps of a time: with less of it, rows of one millisecond would be skipped. */
    public long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, lastActiveAt);
    }

    public static SessionPosition of(long micros, long id) {
        return new SessionPosition(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), new SessionId(id));
    }
}
