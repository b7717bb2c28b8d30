package io.hiroba.social.messages;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** A direct message's id. */
public record MessageId(long value) implements SnowflakeId {

    public static MessageId parse(String hex) {
        return new MessageId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
