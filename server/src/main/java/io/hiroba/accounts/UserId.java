package io.hiroba.accounts;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of an account. */
public record UserId(long value) implements SnowflakeId {

    public static UserId parse(String hex) {
        return new UserId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
