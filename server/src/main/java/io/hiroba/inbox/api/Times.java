package io.hiroba.inbox.api;

import io.hiroba.inbox.InboxProblem;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** When something happened, as other programs say it. */
public final class Times {

    private static final Duration SKEW = Duration.ofMinutes(5);

    private final InstantSource clock;

    public Times(InstantSource clock) {
        this.clock = clock;
    }

    /** What was said, or now. Clocks may differ a little, but nothing comes from the future: what is just ahead is now. */
    Instant past(String field, @Nullable Instant said) {
        var now = clock.instant();
        if (said == null) {
            return now.truncatedTo(ChronoUnit.MICROS);
        }
        if (said.isAfter(now.plus(SKEW)) || said.isBefore(Instant.EPOCH)) {
            throw InboxProblem.invalid(field, "must be a time in the past, after 1970");
        }
        return (said.isAfter(now) ? now : said).truncatedTo(ChronoUnit.MICROS);
    }
}
