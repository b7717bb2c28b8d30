package io.hiroba.saga.pages;

import io.hiroba.saga.pages.Timeline.Tick;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The axis of a timeline: places on it are parts of its length, as SVG takes them. */
record TimeAxis(Instant start, Instant end) {

    /** What is shorter than this part of the axis is drawn as long, so that it can be seen. */
    private static final double LEAST = 0.6;

    private static final int PARTS = 4;

    TimeAxis {
        // Something that took no time at all is still drawn.
        end = end.isAfter(start) ? end : start.plusMillis(1);
    }

    /** From where on, and how long, a bar from one moment to another is drawn. */
    record Place(String x, String width) {}

    Place place(Instant from, Instant to) {
        double width = Math.max(LEAST, part(to) - part(from));
        double x = Math.min(part(from), 100 - width);
        return new Place(percent(x), percent(width));
    }

    List<Tick> ticks() {
        var length = Duration.between(start, end);
        return IntStream.rangeClosed(0, PARTS)
                .mapToObj(i -> new Tick(
                        percent(100.0 * i / PARTS),
                        i == 0 ? "0" : DurationText.text(length.multipliedBy(i).dividedBy(PARTS))))
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
