package io.hiroba.records.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate as a drawing; shares of the width and the height are in percent.
 *
 * @param bars one below the other, for groups that have no order in time
 * @param line a path in a square of 1000 by 1000, for groups that have; none for bars
 */
public record Chart(
        int height, List<Bar> bars, @Nullable String line, List<Dot> dots, List<Tick> across, List<Tick> upwards) {

    public Chart {
        bars = List.copyOf(bars);
        dots = List.copyOf(dots);
        across = List.copyOf(across);
        upwards = List.copyOf(upwards);
    }

    /** A group's bar. */
    public record Bar(String label, String value, int y, String x, String width, boolean isNegative) {}

    /** A group's point on the line. */
    public record Dot(String label, String value, String x, String y) {}

    /** A mark beside an axis. */
    public record Tick(String at, String label) {}
}
