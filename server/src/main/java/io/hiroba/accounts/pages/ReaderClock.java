package io.hiroba.accounts.pages;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The clock of a reader in their time zone: formats times for pages, and parses those of date pickers. */
public record ReaderClock(Instant now, ZoneId zone) {

    private static final DateTimeFormatter TIME = format("HH:mm");
    private static final DateTimeFormatter WEEKDAY = format("EEEE, HH:mm");
    private static final DateTimeFormatter DAY = format("d MMM, HH:mm");
    private static final DateTimeFormatter MINUTE = format("d MMM uuuu, HH:mm");
    private static final DateTimeFormatter SECOND = format("d MMM uuuu, HH:mm:ss");
    private static final DateTimeFormatter SHORT_DATE = format("d MMM uuuu");
    private static final DateTimeFormatter DATE = format("d MMMM uuuu");
    private static final DateTimeFormatter EXACT = format("d MMMM uuuu, HH:mm:ss z");
    private static final DateTimeFormatter LONG = format("EEEE, d MMMM uuuu 'at' HH:mm");
    private static final DateTimeFormatter PICKER = format("uuuu-MM-dd'T'HH:mm");
    private static final int DAYS_BY_NAME = 6;
    private static final Pattern PICKED = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?");
    private static final Pattern LOCAL =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,6})?)?");

    private static DateTimeFormatter format(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
    }

    public LocalDate today() {
        return now.atZone(zone).toLocalDate();
    }

    public String zoneName() {
        return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
    }

    public String date(Instant time) {
        return DATE.format(time.atZone(zone));
    }

    /** To the second and with the zone, for tooltips. */
    public String exact(Instant time) {
        return EXACT.format(time.atZone(zone));
    }

    /** To the minute, or to the second where it has seconds. */
    public String dateTime(Instant time) {
        var local = time.atZone(zone);
        return (local.getSecond() == 0 && local.getNano() == 0 ? MINUTE : SECOND).format(local);
    }

    /** With the name of the weekday. */
    public String longDateTime(Instant time) {
        return LONG.format(time.atZone(zone));
    }

    /** How long ago it was if that is short, the date otherwise. */
    public String ago(Instant time) {
        var age = Duration.between(time, now);
        if (age.compareTo(Duration.ofMinutes(1)) < 0) {
            return "just now";
        }
        if (age.compareTo(Duration.ofHours(1)) < 0) {
            return count(age.toMinutes(), "minute");
        }
        if (age.compareTo(Duration.ofDays(1)) < 0) {
            return count(age.toHours(), "hour");
        }
        return age.compareTo(Duration.ofDays(7)) < 0 ? count(age.toDays(), "day") : "on " + date(time);
    }

    private static String count(long number, String unit) {
        return number + " " + unit + (number == 1 ? " ago" : "s ago");
    }

    /** A future time, as short as possible. */
    public String upcoming(Instant time) {
        var local = time.atZone(zone);
        var day = local.toLocalDate();
        var today = today();
        if (day.equals(today)) {
            return TIME.format(local);
        }
        if (day.equals(today.plusDays(1))) {
            return "tomorrow, " + TIME.format(local);
        }
        if (day.isAfter(today) && !day.isAfter(today.plusDays(DAYS_BY_NAME))) {
            return WEEKDAY.format(local);
        }
        return (day.getYear() == today.getYear() ? DAY : MINUTE).format(local);
    }

    /** Today, yesterday, or the date. */
    public String day(LocalDate day) {
        if (day.equals(today())) {
            return "Today";
        }
        return day.equals(today().minusDays(1)) ? "Yesterday" : DATE.format(day);
    }

    /** The last day of a period: one that ends at midnight is over with the day before. */
    public String lastDay(Instant end) {
        return SHORT_DATE.format(end.minusNanos(1).atZone(zone));
    }

    /** For an input of the type {@code datetime-local}. */
    public String picker(Instant time) {
        return PICKER.format(time.atZone(zone));
    }

    /** What was picked in such an input. */
    public Optional<Instant> parse(String picked) {
        try {
            return Optional.of(LocalDateTime.parse(picked.strip()).atZone(zone).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** For an input of the type that {@link #inputType} says, with all of its digits. */
    public String localText(Instant time) {
        return LocalDateTime.ofInstant(time, zone).toString();
    }

    /** The type of the input that shows {@code local} as it is: {@code datetime-local} would show nothing of some texts. */
    public static String inputType(String local) {
        return local.isEmpty() || PICKED.matcher(local).matches() ? "datetime-local" : "text";
    }

    /** A local time that was typed, with its offset; a text that is no local time is returned as it is. */
    public String absolute(String typed) {
        var text = typed.strip();
        if (!LOCAL.matcher(text).matches()) {
            return text;
        }
        try {
            return LocalDateTime.parse(text.replace(' ', 'T'))
                    .atZone(zone)
                    .toInstant()
                    .toString();
        } catch (DateTimeException e) {
            return text;
        }
    }
}
