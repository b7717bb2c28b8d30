package io.hiroba.knowledge;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of a source. */
public record SourceId(long value) implements SnowflakeId {

    public static SourceId parse(String hex) {
        return new SourceId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
