package io.hiroba.inbox.fanout;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of an identity. */
public record IdentityId(long value) implements SnowflakeId {

    public static IdentityId parse(String hex) {
        return new IdentityId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
