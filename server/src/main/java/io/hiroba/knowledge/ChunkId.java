package io.hiroba.knowledge;

import io.hiroba.platform.id.Ids;
import java.time.Instant;

/** A chunk's id. */
public record ChunkId(long value) {

    public static ChunkId parse(String hex) {
        return new ChunkId(Ids.parse(hex));
    }

    public String hex() {
        return Ids.hex(value);
    }

    public Instant createdAt() {
        return Ids.createdAt(value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
