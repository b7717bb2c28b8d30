package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.FieldReader.Range;
import io.hiroba.saga.workflow.RetryPolicy.Backoff;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads how often a step is tried. */
final class RetryReader {

    private static final Text BACKOFF_RULE = Text.of("saga.definition.backoff");
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Range INTERVAL = new Range(Duration.ZERO, Duration.ofDays(1));
    private static final int MAX_ATTEMPTS = 1000;
    private static final Pattern ANY = Pattern.compile(".*", Pattern.DOTALL);

    private RetryReader() {}

    static RetryPolicy read(FieldReader keys) {
        var retry = keys.object("retry");
        if (retry == null) {
            return RetryPolicy.DEFAULT;
        }
        var attempts = retry.integer("maxAttempts", "max_attempts", 1, MAX_ATTEMPTS);
        var backoff = backoff(retry);
        var initial = retry.duration("initialInterval", "initial_interval_ms", MILLISECOND, INTERVAL);
        var longest = retry.duration("maxInterval", "max_interval_ms", MILLISECOND, INTERVAL);
        var jitter = retry.fraction("jitter");
        if (initial != null && longest != null && longest.compareTo(initial) < 0) {
            retry.error("maxInterval", Text.of("saga.definition.interval"));
        }
        retry.rejectUnknown();
        var first = initial == null ? least(RetryPolicy.DEFAULT.initialInterval(), longest) : initial;
        return new RetryPolicy(
                attempts == null ? RetryPolicy.DEFAULT.maxAttempts() : attempts,
                backoff,
                first,
                longest == null ? most(RetryPolicy.DEFAULT.maxInterval(), first) : longest,
                jitter == null ? RetryPolicy.DEFAULT.jitter() : jitter);
    }

    private static Backoff backoff(FieldReader retry) {
        var text = retry.text("backoff", ANY, BACKOFF_RULE);
        if (text == null) {
            return RetryPolicy.DEFAULT.backoff();
        }
        for (var backoff : Backoff.values()) {
            if (backoff.name().toLowerCase(Locale.ROOT).equals(text)) {
                return backoff;
            }
        }
        retry.error("backoff", BACKOFF_RULE);
        return RetryPolicy.DEFAULT.backoff();
    }

    private static Duration least(Duration one, @Nullable Duration other) {
        return other == null || one.compareTo(other) < 0 ? one : other;
    }

    private static Duration most(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
