package io.hiroba.knowledge.embedding;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of a dead letter. */
public record DeadLetterId(long value) implements SnowflakeId {

    public static DeadLetterId parse(String hex) {
        return new DeadLetterId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
