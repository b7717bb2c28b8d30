package io.hiroba.social.messages;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of a thread of direct messages. */
public record ThreadId(long value) implements SnowflakeId {

    public static ThreadId parse(String hex) {
        return new ThreadId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
