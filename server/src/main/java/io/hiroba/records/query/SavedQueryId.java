package io.hiroba.records.query;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** A saved query's id. */
public record SavedQueryId(long value) implements SnowflakeId {

    public static SavedQueryId parse(String hex) {
        return new SavedQueryId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
