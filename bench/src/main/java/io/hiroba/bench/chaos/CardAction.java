package io.hiroba.bench.chaos;

import io.hiroba.platform.id.Ids;
import java.time.Instant;
import java.util.Comparator;

/**
 * A like, follow or reply that is in effect. Ordered newest first.
 *
 * @param post the reply; 0 for a follow or a like
 * @param ts when, in milliseconds since 1970
 */
record CardAction(long actor, long post, long ts) implements Comparable<CardAction> {

    private static final Comparator<CardAction> NEWEST_FIRST = Comparator.comparingLong(CardAction::ts)
            .thenComparingLong(CardAction::actor)
            .thenComparingLong(CardAction::post)
            .reversed();

    @Override
    public int compareTo(CardAction other) {
        return NEWEST_FIRST.compare(this, other);
    }

    @Override
    public String toString() {
        var by = "%s by %s".formatted(Instant.ofEpochMilli(ts), Ids.hex(actor));
        return post == 0 ? by : by + " with " + Ids.hex(post);
    }
}
