package io.hiroba.social;

import io.hiroba.platform.id.Ids;
import java.time.Instant;

/** A post's id. */
public record PostId(long value) {

    public static PostId parse(String hex) {
        return new PostId(Ids.parse(hex));
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
