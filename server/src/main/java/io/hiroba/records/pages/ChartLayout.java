package io.hiroba.records.pages;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lays out charts. */
final class ChartLayout {

    static final int ROW = 34;
    private static final int FEET = 28;
    private static final int LINE_HEIGHT = 320;
    private static final int MAX_ACROSS = 6;
    private static final int MAX_LABEL_LENGTH = 24;

    private ChartLayout() {}

    /** A group with its value. */
    record Point(String label, BigDecimal value, String shown) {}

    static Chart bars(List<Point> points) {
        var scale = ChartScale.of(points.stream().map(Point::value).toList());
        double zero = scale.share(0);
        var bars = new ArrayList<Chart.Bar>();
        for (var point : points) {
            double end = scale.share(point.value().doubleValue());
            bars.add(new Chart.Bar(
                    label(point.label()),
                    point.shown(),
                    bars.size() * ROW,
                    percent(Math.min(zero, end)),
                    percent(Math.abs(end - zero)),
                    end < zero));
        }
        var ticks = scale.ticks().stream()
                .map(value -> new Chart.Tick(percent(scale.share(value)), ChartScale.label(value)))
                .toList();
        return new Chart(points.size() * ROW + FEET, bars, null, List.of(), ticks, List.of());
    }

    static Chart line(List<Point> points) {
        var scale = ChartScale.of(points.stream().map(Point::value).toList());
        var path = new StringBuilder();
        var dots = new ArrayList<Chart.Dot>();
        for (var point : points) {
            double x = points.size() == 1 ? 0.5 : dots.size() / (points.size() - 1.0);
            double y = 1 - scale.share(point.value().doubleValue());
            path.append(path.isEmpty() ? "M" : "L").append(String.format(Locale.ROOT, "%.1f %.1f", x * 1000, y * 1000));
            dots.add(new Chart.Dot(point.label(), point.shown(), percent(x), percent(y)));
        }
        var across = new ArrayList<Chart.Tick>();
        int every = Math.max(1, (points.size() + MAX_ACROSS - 1) / MAX_ACROSS);
        for (int i = 0; i < points.size(); i += every) {
            across.add(new Chart.Tick(dots.get(i).x(), points.get(i).label()));
        }
        var upwards = scale.ticks().stream()
                .map(value -> new Chart.Tick(percent(1 - scale.share(value)), ChartScale.label(value)))
                .toList();
        return new Chart(LINE_HEIGHT, List.of(), path.toString(), dots, across, upwards);
    }

    private static String label(String text) {
        return text.codePointCount(0, text.length()) <= MAX_LABEL_LENGTH
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_LABEL_LENGTH - 1)) + "…";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f%%", share * 100);
    }
}
