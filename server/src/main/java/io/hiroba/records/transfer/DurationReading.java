package io.hiroba.records.transfer;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The reading of texts with colons such as {@code 1:30}, which may be durations, and times of a day as well. */
public enum DurationReading {
    /** One hour and thirty minutes. */
    HOURS,
    /** One minute and thirty seconds. */
    MINUTES,
    /** No duration. */
    TEXT;

    /** Hours or minutes before the first colon; seconds, after a second one, may have a fraction. */
    private static final Pattern CLOCK = Pattern.compile("-?\\d{1,6}:[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?");

    /** The name in options: {@code hours}, {@code minutes} or {@code text}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<DurationReading> named(String label) {
        return Stream.of(values()).filter(each -> each.label().equals(label)).findFirst();
    }

    /** Whether {@code text} is written as a duration or a time of a day: {@code 1:30}, {@code 26:00}, {@code 0:01:30.5}. */
    static boolean isClock(String text) {
        return CLOCK.matcher(text).matches();
    }

    /** Whether it is a {@linkplain #isClock clock} with one colon, of which it is not clear what stands before it. */
    static boolean isShort(String text) {
        return isClock(text) && text.indexOf(':') == text.lastIndexOf(':');
    }

    /** The same duration with hours, minutes and seconds; others stay as they are. */
    String plain(String text) {
        return this == HOURS && isShort(text.strip()) ? text.strip() + ":00" : text;
    }
}
