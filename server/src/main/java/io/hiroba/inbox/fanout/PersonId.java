package io.hiroba.inbox.fanout;

import io.hiroba.platform.id.SnowflakeId;

/** The id of a person as a connection knows them. */
public record PersonId(long value) implements SnowflakeId {

    @Override
    public String toString() {
        return hex();
    }
}
