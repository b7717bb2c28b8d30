package io.hiroba.saga;

import io.hiroba.platform.i18n.Text;
import java.time.Duration;

/** Writes durations in two units at most. */
public final class DurationText {

    private static final int TENTHS = 100;

    private DurationText() {}

    public static Text text(Duration time) {
        var took = time.isNegative() ? Duration.ZERO : time;
        if (took.compareTo(Duration.ofSeconds(1)) < 0) {
            return in("milliseconds", took.toMillis());
        }
        if (took.compareTo(Duration.ofMinutes(1)) < 0) {
            return in("seconds", Math.floorDiv(took.toMillis(), TENTHS) / 10.0);
        }
        if (took.compareTo(Duration.ofHours(1)) < 0) {
            return two("minutes", took.toMinutesPart(), "seconds", took.toSecondsPart());
        }
        return took.compareTo(Duration.ofDays(1)) < 0
                ? two("hours", took.toHoursPart(), "minutes", took.toMinutesPart())
                : two("days", took.toDays(), "hours", took.toHoursPart());
    }

    private static Text two(String large, long many, String small, int few) {
        return few == 0
                ? in(large, many)
                : Text.of("saga.duration.two", "large", in(large, many), "small", in(small, few));
    }

    private static Text in(String unit, Number count) {
        return Text.of("saga.duration." + unit, "count", count);
    }
}
