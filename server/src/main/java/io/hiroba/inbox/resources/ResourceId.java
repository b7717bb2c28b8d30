package io.hiroba.inbox.resources;

import io.hiroba.platform.id.Ids;

/** The id of a resource, as Hiroba numbers it. */
public record ResourceId(long value) {

    public static ResourceId parse(String hex) {
        return new ResourceId(Ids.parse(hex));
    }

    public String hex() {
        return Ids.hex(value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
