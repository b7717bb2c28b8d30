package io.hiroba.records.transfer;

import io.hiroba.platform.id.Ids;
import java.time.Instant;

/** An import's id. */
public record ImportId(long value) {

    public static ImportId parse(String hex) {
        return new ImportId(Ids.parse(hex));
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
