package io.hiroba.platform.config;

import java.time.Duration;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 250ms}, {@code 30s}, {@code 15m}, {@code 12h}, {@code 90d}. */
final class Durations {

    private static final Pattern FORM = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");

    private Durations() {}

    static Duration parse(String text) {
        var match = FORM.matcher(text.strip());
        if (!match.matches()) {
            throw new IllegalArgumentException("is not a duration such as 250ms, 30s, 15m, 12h or 90d");
        }
        long number = Long.parseLong(match.group(1));
        return switch (match.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
