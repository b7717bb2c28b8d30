package io.hiroba.records;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** A project's id. */
public record ProjectId(long value) implements SnowflakeId {

    public static ProjectId parse(String hex) {
        return new ProjectId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
