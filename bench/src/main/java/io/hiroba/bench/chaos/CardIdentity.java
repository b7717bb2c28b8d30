package io.hiroba.bench.chaos;

import io.hiroba.platform.id.Ids;
import java.util.Comparator;

/** The key of a card: its owner, slot and day. */
record CardIdentity(long user, String slot, String term) implements Comparable<CardIdentity> {

    private static final Comparator<CardIdentity> ORDER = Comparator.comparingLong(CardIdentity::user)
            .thenComparing(CardIdentity::slot)
            .thenComparing(CardIdentity::term);

    boolean ofReplies() {
        return slot.startsWith("reply:");
    }

    /** The post of the card; empty for follows. */
    String post() {
        return slot.contains(":") ? slot.substring(slot.indexOf(':') + 1) : "";
    }

    @Override
    public int compareTo(CardIdentity other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return "%s of %s on %s".formatted(slot, Ids.hex(user), term);
    }
}
