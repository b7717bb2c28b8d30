package io.hiroba.records.transfer;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** An import's id. */
public record ImportId(long value) implements SnowflakeId {

    public static ImportId parse(String hex) {
        return new ImportId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
