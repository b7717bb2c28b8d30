package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.pages.Timeline.Tick;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The axis of a timeline: positions on it are percentages, as SVG takes them. */
record TimeAxis(Instant start, Instant end) {

    /** The least width of a bar in percent, so that it can be seen. */
    private static final double MIN_WIDTH = 0.6;

    private static final int TICKS = 4;

    TimeAxis {
        // A saga that took no time is drawn too.
        end = end.isAfter(start) ? end : start.plusMillis(1);
    }

    /** The position and width of a bar. */
    record Place(String x, String width) {}

    Place place(Instant from, Instant to) {
        double width = Math.max(MIN_WIDTH, part(to) - part(from));
        double x = Math.min(part(from), 100 - width);
        return new Place(percent(x), percent(width));
    }

    List<Tick> ticks(Reader reader) {
        var length = Duration.between(start, end);
        return IntStream.rangeClosed(0, TICKS)
                .mapToObj(i -> new Tick(
                        percent(100.0 * i / TICKS),
                        i == 0
                                ? "0"
                                : reader.text(
                                        DurationText.text(length.multipliedBy(i).dividedBy(TICKS)))))
                .toList();
    }

    private double part(Instant time) {
        double part = 100.0
                * Duration.between(start, time).toNanos()
                / Duration.between(start, end).toNanos();
        return Math.clamp(part, 0, 100);
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, "%.2f%%", value);
    }
}
