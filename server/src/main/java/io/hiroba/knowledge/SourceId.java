package io.hiroba.knowledge;

import io.hiroba.platform.id.Ids;
import java.time.Instant;

/** A source's id. */
public record SourceId(long value) {

    public static SourceId parse(String hex) {
        return new SourceId(Ids.parse(hex));
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
