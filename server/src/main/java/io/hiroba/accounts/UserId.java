package io.hiroba.accounts;

import io.hiroba.platform.id.Ids;
import java.time.Instant;

/** An account's id. */
public record UserId(long value) {

    public static UserId parse(String hex) {
        return new UserId(Ids.parse(hex));
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
