package io.hiroba.knowledge.sessions;

import io.hiroba.platform.http.Cursor;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A position in the list of sessions by last activity. */
public record SessionPosition(Instant lastActiveAt, ChatSessionId id) {

    public static SessionPosition of(ChatSession session) {
        return new SessionPosition(session.lastActiveAt(), session.id());
    }

    /** In microseconds, as the database stores times: rounded, rows of one millisecond would be skipped. */
    public Cursor cursor() {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, lastActiveAt);
        return Cursor.of(Long.toString(micros), Long.toString(id.value()));
    }

    public static SessionPosition of(Cursor cursor) {
        return new SessionPosition(
                Instant.EPOCH.plus(cursor.number(0), ChronoUnit.MICROS), new ChatSessionId(cursor.number(1)));
    }
}
