package io.hiroba.inbox.people;

import io.hiroba.platform.id.Ids;

/** The id of an identity. */
public record IdentityId(long value) {

    public static IdentityId parse(String hex) {
        return new IdentityId(Ids.parse(hex));
    }

    public String hex() {
        return Ids.hex(value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
