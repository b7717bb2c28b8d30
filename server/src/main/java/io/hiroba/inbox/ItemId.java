package io.hiroba.inbox;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of an item. */
public record ItemId(long value) implements SnowflakeId {

    public static ItemId parse(String hex) {
        return new ItemId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
