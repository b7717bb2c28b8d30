package io.hiroba.social;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** A post's id. */
public record PostId(long value) implements SnowflakeId {

    public static PostId parse(String hex) {
        return new PostId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
