package io.hiroba.inbox.fanout;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of a resource. */
public record ResourceId(long value) implements SnowflakeId {

    public static ResourceId parse(String hex) {
        return new ResourceId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
