package io.hiroba.inbox;

import io.hiroba.platform.id.Ids;

/** An item's id. */
public record ItemId(long value) {

    public static ItemId parse(String hex) {
        return new ItemId(Ids.parse(hex));
    }

    public String hex() {
        return Ids.hex(value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
