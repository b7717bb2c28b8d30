package io.hiroba.accounts;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of an API token. */
public record TokenId(long value) implements SnowflakeId {

    public static TokenId parse(String hex) {
        return new TokenId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
