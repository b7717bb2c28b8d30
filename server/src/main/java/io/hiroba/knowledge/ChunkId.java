package io.hiroba.knowledge;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of a chunk. */
public record ChunkId(long value) implements SnowflakeId {

    public static ChunkId parse(String hex) {
        return new ChunkId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
