package io.hiroba.records.pages;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** An axis between round numbers that includes zero; between whole ones for whole values. */
record ChartScale(double from, double step, int steps) {

    private static final int ABOUT = 5;

    static ChartScale of(List<BigDecimal> values) {
        double low = Math.min(
                0, values.stream().mapToDouble(BigDecimal::doubleValue).min().orElse(0));
        double high = Math.max(
                0, values.stream().mapToDouble(BigDecimal::doubleValue).max().orElse(0));
        if (!Double.isFinite(low) || !Double.isFinite(high) || high - low == 0) {
            return new ChartScale(0, 1, 1);
        }
        boolean whole =
                values.stream().allMatch(each -> each.stripTrailingZeros().scale() <= 0);
        double step = Math.max(whole ? 1 : 0, round((high - low) / ABOUT));
        double from = Math.floor(low / step) * step;
        int steps = Math.max(1, (int) Math.ceil((high - from) / step - 1e-9));
        return new ChartScale(from, step, steps);
    }

    /** The next of 1, 2 and 5 times a power of ten. */
    private static double round(double step) {
        double power = Math.pow(10, Math.floor(Math.log10(step)));
        double digit = step / power;
        return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
    }

    /** The position of a value, from 0 to 1. */
    double share(double value) {
        double share = (value - from) / (step * steps);
        return Double.isFinite(share) ? Math.clamp(share, 0, 1) : 0;
    }

    List<Double> ticks() {
        return IntStream.rangeClosed(0, steps).mapToObj(i -> from + i * step).toList();
    }

    /** A round number in short form. */
    static String label(double value) {
        double size = Math.abs(value);
        if (size >= 1e15 || (size > 0 && size < 1e-4)) {
            return String.format(Locale.ROOT, "%.0e", value);
        }
        if (size >= 1e9) {
            return plain(value / 1e9) + "G";
        }
        if (size >= 1e6) {
            return plain(value / 1e6) + "M";
        }
        return size >= 1e4 ? plain(value / 1e3) + "k" : plain(value);
    }

    private static String plain(double value) {
        var text = BigDecimal.valueOf(Math.round(value * 1e6) / 1e6)
                .stripTrailingZeros()
                .toPlainString();
        return text.equals("-0") ? "0" : text;
    }
}
