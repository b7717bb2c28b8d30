package io.hiroba.knowledge.embedding;

import io.hiroba.platform.id.Ids;

/** A dead letter's id. */
public record DeadLetterId(long value) {

    public static DeadLetterId parse(String hex) {
        return new DeadLetterId(Ids.parse(hex));
    }

    public String hex() {
        return Ids.hex(value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
