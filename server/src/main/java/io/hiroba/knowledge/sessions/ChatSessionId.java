package io.hiroba.knowledge.sessions;

import io.hiroba.platform.id.SnowflakeId;

/** The id of a session. */
record ChatSessionId(long value) implements SnowflakeId {

    @Override
    public String toString() {
        return hex();
    }
}
