package io.hiroba.inbox.resources;

import io.hiroba.platform.id.Ids;

/** A namespace's id. */
public record NamespaceId(long value) {

    public static NamespaceId parse(String hex) {
        return new NamespaceId(Ids.parse(hex));
    }

    public String hex() {
        return Ids.hex(value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
