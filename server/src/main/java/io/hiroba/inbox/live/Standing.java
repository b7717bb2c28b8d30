package io.hiroba.inbox.live;

import io.hiroba.inbox.items.Counts;

/**
 * How a reader's inbox stands.
 *
 * @param version grows with every change of a count, also where the counts are what they were before
 */
record Standing(long version, Counts counts) {

    static final Standing EMPTY = new Standing(0, new Counts(0, 0, 0, 0, 0));
}
