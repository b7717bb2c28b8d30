package io.hiroba.accounts;

import io.hiroba.platform.id.Ids;
import java.time.Instant;

/** An API token's id: it names the token and opens nothing. */
public record TokenId(long value) {

    public static TokenId parse(String hex) {
        return new TokenId(Ids.parse(hex));
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
