package io.hiroba.records.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chart of an aggregate; positions are in percent of width and height.
 *
 * @param bars for groups without an order in time
 * @param line an SVG path in a square of 1000 by 1000, for groups in order of time; empty for bars
 */
public record Chart(
        int height, List<Bar> bars, @Nullable String line, List<Dot> dots, List<Tick> across, List<Tick> upwards) {

    public Chart {
        bars = List.copyOf(bars);
        dots = List.copyOf(dots);
        across = List.copyOf(across);
        upwards = List.copyOf(upwards);
    }

    /** The bar of a group. */
    public record Bar(String label, String value, int y, String x, String width, boolean isNegative) {}

    /** The point of a group on the line. */
    public record Dot(String label, String value, String x, String y) {}

    /** A tick of an axis. */
    public record Tick(String at, String label) {}
}
