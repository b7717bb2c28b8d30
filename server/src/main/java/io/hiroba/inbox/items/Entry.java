package io.hiroba.inbox.items;

import org.jspecify.annotations.Nullable;

/**
 * An entry that a walk has stopped at.
 *
 * @param place how many entries were passed with it
 * @param matched whether it is asked for; if not, it only marks where the walk has ended
 * @param item what is shown of it, if that was asked for and it matched
 */
record Entry(
        Position position,
        long place,
        boolean matched,
        @Nullable Item item) {}
