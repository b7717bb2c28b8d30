package io.hiroba.accounts.pages;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes times as people read them: how long ago if that is short, the reader's date otherwise. */
public record When(Instant now, ZoneId zone) {

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("d MMMM yyyy", Locale.ENGLISH);
    private static final DateTimeFormatter EXACT =
            DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm:ss z", Locale.ENGLISH);

    public String date(Instant time) {
        return DATE.format(time.atZone(zone));
    }

    /** The moment itself, for those who want to know exactly. */
    public String exact(Instant time) {
        return EXACT.format(time.atZone(zone));
    }

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
}
