package io.hiroba.bench.chaos;

import io.hiroba.platform.id.Ids;
import java.time.Instant;
import java.util.Comparator;

/**
 * An act of somebody that still stands. The newest comes first.
 *
 * @param post the reply; 0 for a follow or a like
 * @param ts when, in milliseconds since 1970
 */
record Act(long actor, long post, long ts) implements Comparable<Act> {

    private static final Comparator<Act> NEWEST_FIRST = Comparator.comparingLong(Act::ts)
            .thenComparingLong(Act::actor)
            .thenComparingLong(Act::post)
            .reversed();

    @Override
    public int compareTo(Act other) {
        return NEWEST_FIRST.compare(this, other);
    }

    @Override
    public String toString() {
        var by = "%s by %s".formatted(Instant.ofEpochMilli(ts), Ids.hex(actor));
        return post == 0 ? by : by + " with " + Ids.hex(post);
    }
}
