package io.hiroba.knowledge.embedding;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The header by which a service says how long it wants to be left alone: in seconds, or until a date. */
final class RetryAfter {

    /** A service that names the year 3000 does not keep chunks waiting for ever. */
    static final Duration LONGEST = Duration.ofMinutes(15);

    private RetryAfter() {}

    /** Null where the header says nothing that makes sense. */
    static @Nullable Duration parse(String header, InstantSource clock) {
        var text = header.strip();
        try {
            if (text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
                return bounded(Duration.ofMillis(Math.round(Double.parseDouble(text) * 1000)));
            }
            var until = DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
            return bounded(Duration.between(clock.instant(), until));
        } catch (DateTimeException | ArithmeticException e) {
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
