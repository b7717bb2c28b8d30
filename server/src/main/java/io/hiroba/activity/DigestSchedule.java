package io.hiroba.activity;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAdjusters;

/** Computes when digests are due: at eight in the morning in the reader's time zone, each day or each Monday. */
final class DigestSchedule {

    private static final LocalTime MORNING = LocalTime.of(8, 0);

    private DigestSchedule() {}

    /** The first due time after {@code now}; {@code frequency} is not {@code OFF}. */
    static Instant next(DigestFrequency frequency, ZoneId zone, Instant now) {
        var day = first(frequency, now.atZone(zone).toLocalDate());
        var due = morning(day, zone);
        // A morning that the clocks skip comes later, even after a whole day that a zone has left out.
        while (!due.isAfter(now)) {
            day = following(frequency, day);
            due = morning(day, zone);
        }
        return due;
    }

    private static Instant morning(LocalDate day, ZoneId zone) {
        return ZonedDateTime.of(day, MORNING, zone).toInstant();
    }

    private static LocalDate first(DigestFrequency frequency, LocalDate today) {
        return switch (frequency) {
            case DAILY -> today;
            case WEEKLY -> today.with(TemporalAdjusters.nextOrSame(DayOfWeek.MONDAY));
            case OFF -> throw new IllegalArgumentException("a digest that is off is never due");
        };
    }

    private static LocalDate following(DigestFrequency frequency, LocalDate day) {
        return frequency == DigestFrequency.WEEKLY ? day.plusWeeks(1) : day.plusDays(1);
    }
}
