package io.hiroba.inbox.fanout;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of a connection: a source of resources. */
public record ConnectionId(long value) implements SnowflakeId {

    /** This program itself. */
    public static final ConnectionId HIROBA = new ConnectionId(1);

    /** The programs that call the API. */
    public static final ConnectionId API = new ConnectionId(2);

    public static ConnectionId parse(String hex) {
        return new ConnectionId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
