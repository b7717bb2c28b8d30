package io.hiroba.social;

import io.hiroba.platform.http.Cursor;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A position in a list: right after the item with this sort key and this id.
 *
 * @param key the id itself, or the time of the list in microseconds
 */
public record Position(long key, long id) {

    /** Before the newest item. */
    public static final Position NEWEST = new Position(Long.MAX_VALUE, Long.MAX_VALUE);

    /** Before the oldest item. */
    public static final Position OLDEST = new Position(0, 0);

    private static final Instant END_OF_TIME = Instant.parse("9999-01-01T00:00:00Z");

    public static Position of(Cursor cursor) {
        return new Position(cursor.number(0), cursor.number(1));
    }

    public Cursor cursor() {
        return Cursor.of(Long.toString(key), Long.toString(id));
    }

    /** The key of a list that is sorted by time. */
    public Instant time() {
        return key == Long.MAX_VALUE ? END_OF_TIME : Instant.EPOCH.plus(key, ChronoUnit.MICROS);
    }
}
