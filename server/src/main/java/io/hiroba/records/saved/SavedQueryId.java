package io.hiroba.records.saved;

import io.hiroba.platform.id.Ids;
import java.time.Instant;

/** A saved query's id. */
public record SavedQueryId(long value) {

    public static SavedQueryId parse(String hex) {
        return new SavedQueryId(Ids.parse(hex));
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
