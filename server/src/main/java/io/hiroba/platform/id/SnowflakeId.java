package io.hiroba.platform.id;

import java.time.Instant;

/** The id of a row: a number inside, 16 hex digits outside, with the time of creation ({@link Ids}). */
public interface SnowflakeId {

    long value();

    /** Its text at every interface. */
    default String hex() {
        return Ids.hex(value());
    }

    default Instant createdAt() {
        return Ids.createdAt(value());
    }
}
