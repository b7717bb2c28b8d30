package io.hiroba.platform.http;

import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The header {@code Retry-After}: written in whole seconds; read as seconds or a date. */
public final class RetryAfter {

    private RetryAfter() {}

    /** Rounded up and at least one, so that a caller who obeys is not refused again. */
    static long seconds(Duration wait) {
        return Math.max(1, wait.plusMillis(999).toSeconds());
    }

    /** Sets the header {@code Retry-After}. */
    public static void set(Context ctx, Duration wait) {
        ctx.header("Retry-After", Long.toString(seconds(wait)));
    }

    /**
     * Parses the delay that a called service asks for; null if the header is invalid.
     *
     * @param max bounds the delay
     */
    public static @Nullable Duration parse(String header, InstantSource clock, Duration max) {
        var text = header.strip();
        try {
            if (text.matches("[0-9]{1,18}(\\.[0-9]{1,9})?")) {
                return bounded(Duration.ofMillis(Math.round(Double.parseDouble(text) * 1000)), max);
            }
            var until = DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
            return bounded(Duration.between(clock.instant(), until), max);
        } catch (DateTimeException | ArithmeticException e) {
            return null;
        }
    }

    private static Duration bounded(Duration wait, Duration max) {
        if (wait.isNegative()) {
            return Duration.ZERO;
        }
        return wait.compareTo(max) > 0 ? max : wait;
    }
}
