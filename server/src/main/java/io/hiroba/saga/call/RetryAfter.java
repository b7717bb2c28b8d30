package io.hiroba.saga.call;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The header by which a service says how long it wants to be left alone: in seconds, or until a date. */
final class RetryAfter {

    /** A service that names the year 3000 does not keep a saga for ever. */
    static final Duration LONGEST = Duration.ofHours(1);

    private RetryAfter() {}

    /** Null where the header says nothing that makes sense. */
    static @Nullable Duration parse(String header, InstantSource clock) {
        var text = header.strip();
        if (text.matches("[0-9]{1,18}")) {
            return bounded(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            var until = DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
            return bounded(Duration.between(clock.instant(), until));
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static Duration bounded(Duration wait) {
        if (wait.isNegative()) {
            return Duration.ZERO;
        }
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }
}
