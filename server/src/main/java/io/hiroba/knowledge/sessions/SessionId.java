package io.hiroba.knowledge.sessions;

import io.hiroba.platform.id.Ids;

/** A session's id. */
public record SessionId(long value) {

    public String hex() {
        return Ids.hex(value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
