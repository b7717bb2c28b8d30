package io.hiroba.platform.id;

import java.time.Instant;

/** The id of something in a database: a number inside, 16 hex digits outside, made when that thing was ({@link Ids}). */
public interface SnowflakeId {

    long value();

    /** As it is written at every interface. */
    default String hex() {
        return Ids.hex(value());
    }

    default Instant createdAt() {
        return Ids.createdAt(value());
    }
}
