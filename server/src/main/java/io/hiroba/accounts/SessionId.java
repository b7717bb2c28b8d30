package io.hiroba.accounts;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of a session. */
public record SessionId(long value) implements SnowflakeId {

    public static SessionId parse(String hex) {
        return new SessionId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
