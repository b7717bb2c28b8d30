package io.hiroba.saga.pages;

import java.time.Duration;

/** Writes durations in two units at most. */
final class DurationText {

    private static final int TENTHS = 100;

    private DurationText() {}

    static String text(Duration time) {
        var took = time.isNegative() ? Duration.ZERO : time;
        if (took.compareTo(Duration.ofSeconds(1)) < 0) {
            return took.toMillis() + " ms";
        }
        if (took.compareTo(Duration.ofMinutes(1)) < 0) {
            int tenths = took.toMillisPart() / TENTHS;
            return took.toSecondsPart() + (tenths == 0 ? "" : "." + tenths) + " s";
        }
        if (took.compareTo(Duration.ofHours(1)) < 0) {
            return two(took.toMinutesPart(), "min", took.toSecondsPart(), "s");
        }
        return took.compareTo(Duration.ofDays(1)) < 0
                ? two(took.toHoursPart(), "h", took.toMinutesPart(), "min")
                : two(took.toDays(), "d", took.toHoursPart(), "h");
    }

    private static String two(long many, String large, int few, String small) {
        return few == 0 ? many + " " + large : many + " " + large + " " + few + " " + small;
    }
}
