package io.hiroba.inbox.pages;

import io.hiroba.accounts.pages.ReaderClock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Writes and reads times for somebody who lives in {@code zone}. */
record Moments(Instant now, ZoneId zone) {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("EEEE, HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("d MMM, HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter YEAR = DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter PICKED = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter LAST_DAY = DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ENGLISH);
    private static final int DAYS_BY_NAME = 6;

    String ago(Instant time) {
        return new ReaderClock(now, zone).ago(time);
    }

    String exact(Instant time) {
        return new ReaderClock(now, zone).exact(time);
    }

    /** A time to come, as short as it can be told. */
    String coming(Instant time) {
        var local = time.atZone(zone);
        var today = now.atZone(zone).toLocalDate();
        var day = local.toLocalDate();
        if (day.equals(today)) {
            return TIME.format(local);
        }
        if (day.equals(today.plusDays(1))) {
            return "tomorrow, " + TIME.format(local);
        }
        if (day.isAfter(today) && !day.isAfter(today.plusDays(DAYS_BY_NAME))) {
            return DAY.format(local);
        }
        return (day.getYear() == today.getYear() ? DATE : YEAR).format(local);
    }

    /** The last day of what ends at {@code end}: one that ends at midnight is over with the day before. */
    String lastDay(Instant end) {
        return LAST_DAY.format(end.minusNanos(1).atZone(zone));
    }

    /** For an input of the type {@code datetime-local}. */
    String picked(Instant time) {
        return PICKED.format(time.atZone(zone));
    }

    /** What somebody picked in such an input. */
    Optional<Instant> read(String typed) {
        try {
            return Optional.of(LocalDateTime.parse(typed.strip()).atZone(zone).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
