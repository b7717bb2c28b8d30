package io.hiroba.bench.chaos;

import io.hiroba.platform.id.Ids;
import java.util.Comparator;

/** Which card: of whom, about what, on which day. */
record CardKey(long user, String slot, String term) implements Comparable<CardKey> {

    private static final Comparator<CardKey> ORDER =
            Comparator.comparingLong(CardKey::user).thenComparing(CardKey::slot).thenComparing(CardKey::term);

    boolean ofReplies() {
        return slot.startsWith("reply:");
    }

    /** The post it is about; empty for follows. */
    String post() {
        return slot.contains(":") ? slot.substring(slot.indexOf(':') + 1) : "";
    }

    @Override
    public int compareTo(CardKey other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return "%s of %s on %s".formatted(slot, Ids.hex(user), term);
    }
}
