package io.hiroba.inbox.resources;

import io.hiroba.platform.id.Ids;

/** The id of where resources come from. */
public record ConnectionId(long value) {

    /** This program itself. */
    public static final ConnectionId HIROBA = new ConnectionId(1);

    /** Whatever calls the API. */
    public static final ConnectionId API = new ConnectionId(2);

    public static ConnectionId parse(String hex) {
        return new ConnectionId(Ids.parse(hex));
    }

    public String hex() {
        return Ids.hex(value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
