package io.hiroba.accounts;

import io.hiroba.platform.id.Ids;
import java.time.Instant;

/** A session's id: it names the session and opens nothing. */
public record SessionId(long value) {

    public static SessionId parse(String hex) {
        return new SessionId(Ids.parse(hex));
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
