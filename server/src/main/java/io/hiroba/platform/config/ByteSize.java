package io.hiroba.platform.config;

import java.util.Locale;
import java.util.regex.Pattern;

/** A number of bytes, written as {@code 512B}, {@code 64KB}, {@code 10MB} or {@code 2GB}, in steps of 1024. */
public record ByteSize(long bytes) {

    private static final Pattern FORM = Pattern.compile("(\\d{1,12})\\s*(B|KB|MB|GB)?", Pattern.CASE_INSENSITIVE);

    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size cannot be negative");
        }
    }

    public static ByteSize parse(String text) {
        var match = FORM.matcher(text.strip());
        if (!match.matches()) {
            throw new IllegalArgumentException("is not a size such as 64KB or 10MB");
        }
        long number = Long.parseLong(match.group(1));
        var unit = match.group(2);
        return new ByteSize(number * factor(unit == null ? "B" : unit.toUpperCase(Locale.ROOT)));
    }

    /** The size as an {@code int}, capped. */
    public int toInt() {
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    private static long factor(String unit) {
        return switch (unit) {
            case "KB" -> 1L << 10;
            case "MB" -> 1L << 20;
            case "GB" -> 1L << 30;
            default -> 1L;
        };
    }
}
