package io.hiroba.activity;

import java.util.Comparator;

/**
 * An act as cards store it.
 *
 * @param ts in milliseconds since 1970
 */
record ActRecord(Id id, long ts) {

    static final Comparator<ActRecord> NEWEST_FIRST = Comparator.comparingLong(ActRecord::ts)
            .thenComparingLong(ActRecord::actor)
            .thenComparingLong(ActRecord::post)
            .reversed();

    static ActRecord of(long actor, long post, long ts) {
        return new ActRecord(new Id(actor, post), ts);
    }

    long actor() {
        return id.actor();
    }

    long post() {
        return id.post();
    }

    /** Identifies an act on a card; {@code post} is 0 where a person can act once only. */
    record Id(long actor, long post) {}
}
