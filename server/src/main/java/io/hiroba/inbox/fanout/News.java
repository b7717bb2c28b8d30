package io.hiroba.inbox.fanout;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.resources.Resource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Something that wants something from people.
 *
 * @param at when it happened, by the clock of where it comes from
 * @param moot whether it is known already to want nothing any more: it is then told as done
 */
public record News(Resource resource, Action action, Author author, Instant at, boolean moot) {

    /** Times are as the database keeps them: what is told twice happened at the same time. */
    public News {
        at = at.truncatedTo(ChronoUnit.MICROS);
    }

    public static News of(Resource resource, Action action, Author author, Instant at) {
        return new News(resource, action, author, at, false);
    }

    public News asMoot() {
        return new News(resource, action, author, at, true);
    }
}
