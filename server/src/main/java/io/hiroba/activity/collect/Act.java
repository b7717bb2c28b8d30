package io.hiroba.activity.collect;

import java.util.Comparator;

/**
 * Something that somebody did to the reader, and when.
 *
 * @param ts in milliseconds since 1970
 */
record Act(Id id, long ts) {

    static final Comparator<Act> NEWEST_FIRST = Comparator.comparingLong(Act::ts)
            .thenComparingLong(Act::actor)
            .thenComparingLong(Act::post)
            .reversed();

    static Act of(long actor, long post, long ts) {
        return new Act(new Id(actor, post), ts);
    }

    long actor() {
        return id.actor();
    }

    long post() {
        return id.post();
    }

    /** What tells two acts on one card apart; {@code post} is 0 where somebody can do it once only. */
    record Id(long actor, long post) {}
}
