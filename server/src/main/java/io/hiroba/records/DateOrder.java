package io.hiroba.records;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The order of month and day in days such as {@code 8/20/2026}, which a single one often does not tell. */
public enum DateOrder {
    MONTH_FIRST,
    DAY_FIRST;

    private static final int MAX_LENGTH = 60;
    private static final int HALF_DAY = 12;

    private static final Pattern FORM = Pattern.compile(
            "(\\d{1,2})([/-])(\\d{1,2})\\2(\\d{4})(?:,? +(\\d{1,2})(:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?)(?: ?([AaPp])\\.?[Mm]\\.?)?)?");

    /** The name in options: {@code month-first} or {@code day-first}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<DateOrder> named(String label) {
        return EnumSet.allOf(DateOrder.class).stream()
                .filter(each -> each.label().equals(label))
                .findFirst();
    }

    /** The orders in which {@code text} is a day, perhaps with a time; none if it is written in another way. */
    public static Set<DateOrder> of(String text) {
        var orders = EnumSet.noneOf(DateOrder.class);
        for (var order : values()) {
            if (order.plain(text).isPresent()) {
                orders.add(order);
            }
        }
        return orders;
    }

    /** A day in this order in the plain form, {@code 2026-08-20 09:05}; empty if it is none. */
    public Optional<String> plain(String text) {
        var written = WrittenValues.plain(text);
        if (written.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        var parts = FORM.matcher(written);
        if (!parts.matches()) {
            return Optional.empty();
        }
        int first = Integer.parseInt(parts.group(1));
        int second = Integer.parseInt(parts.group(3));
        int year = Integer.parseInt(parts.group(4));
        try {
            var day = this == MONTH_FIRST ? LocalDate.of(year, first, second) : LocalDate.of(year, second, first);
            if (parts.group(5) == null) {
                return Optional.of(day.toString());
            }
            int hour = hour(Integer.parseInt(parts.group(5)), parts.group(7));
            return Optional.of("%s %02d%s".formatted(day, hour, parts.group(6)));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    private static int hour(int written, @Nullable String half) {
        if (half == null) {
            return written;
        }
        if (written < 1 || written > HALF_DAY) {
            throw new DateTimeException("no hour of half a day");
        }
        return written % HALF_DAY + (half.equalsIgnoreCase("p") ? HALF_DAY : 0);
    }
}
