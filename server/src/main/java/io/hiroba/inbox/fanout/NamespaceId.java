package io.hiroba.inbox.fanout;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of a namespace. */
public record NamespaceId(long value) implements SnowflakeId {

    public static NamespaceId parse(String hex) {
        return new NamespaceId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
