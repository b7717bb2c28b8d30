package io.hiroba.inbox.api;

import io.hiroba.inbox.InboxProblem;
import io.hiroba.platform.i18n.Text;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Checks the times in API requests. */
final class ApiTimes {

    private static final Duration MAX_SKEW = Duration.ofMinutes(5);

    private final InstantSource clock;

    ApiTimes(InstantSource clock) {
        this.clock = clock;
    }

    /** The given time, or now. Clocks may differ a little, so a time just ahead counts as now; later ones are refused. */
    Instant past(String field, @Nullable Instant given) {
        var now = clock.instant();
        if (given == null) {
            return now.truncatedTo(ChronoUnit.MICROS);
        }
        if (given.isAfter(now.plus(MAX_SKEW)) || given.isBefore(Instant.EPOCH)) {
            throw InboxProblem.invalid(field, Text.of("inbox.field.past"));
        }
        return (given.isAfter(now) ? now : given).truncatedTo(ChronoUnit.MICROS);
    }
}
