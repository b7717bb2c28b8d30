package io.hiroba.inbox.resources;

import io.hiroba.platform.id.Ids;

/** The id of somebody as a connection knows them. */
public record PersonId(long value) {

    public static PersonId parse(String hex) {
        return new PersonId(Ids.parse(hex));
    }

    public String hex() {
        return Ids.hex(value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
