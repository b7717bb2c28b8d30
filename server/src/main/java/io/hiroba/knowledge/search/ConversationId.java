package io.hiroba.knowledge.search;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of a conversation. */
public record ConversationId(long value) implements SnowflakeId {

    public static ConversationId parse(String hex) {
        return new ConversationId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
