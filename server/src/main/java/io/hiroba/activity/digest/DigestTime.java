package io.hiroba.activity.digest;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAdjusters;

/** When digests are due: at eight in the morning where their reader lives, each day or each Monday. */
public final class DigestTime {

    private static final LocalTime MORNING = LocalTime.of(8, 0);

    private DigestTime() {}

    /** The first due time after {@code now}. Somebody without a digest has none, which is for the caller to see. */
    public static Instant next(Digest digest, ZoneId zone, Instant now) {
        var day = first(digest, now.atZone(zone).toLocalDate());
        var due = morning(day, zone);
        // A morning that the clocks skip comes later, even after a whole day that a zone has left out.
        while (!due.isAfter(now)) {
            day = following(digest, day);
            due = morning(day, zone);
        }
        return due;
    }

    private static Instant morning(LocalDate day, ZoneId zone) {
        return ZonedDateTime.of(day, MORNING, zone).toInstant();
    }

    private static LocalDate first(Digest digest, LocalDate today) {
        return switch (digest) {
            case DAILY -> today;
            case WEEKLY -> today.with(TemporalAdjusters.nextOrSame(DayOfWeek.MONDAY));
            case OFF -> throw new IllegalArgumentException("no digest is never due");
        };
    }

    private static LocalDate following(Digest digest, LocalDate day) {
        return digest == Digest.WEEKLY ? day.plusWeeks(1) : day.plusDays(1);
    }
}
