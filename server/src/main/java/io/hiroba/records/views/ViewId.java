package io.hiroba.records.views;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of a view. */
public record ViewId(long value) implements SnowflakeId {

    public static ViewId parse(String hex) {
        return new ViewId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
