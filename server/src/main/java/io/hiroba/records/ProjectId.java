package io.hiroba.records;

import io.hiroba.platform.id.Ids;
import java.time.Instant;

/** A project's id. */
public record ProjectId(long value) {

    public static ProjectId parse(String hex) {
        return new ProjectId(Ids.parse(hex));
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
