package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Parses and formats days and moments in the years 1 to 9999. Documents hold both as microseconds since 1970, a day as its midnight
 * in UTC.
 */
public final class Timestamps {

    private static final Pattern DAY = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private Timestamps() {}

    /** Parses a day, which has no time and no zone. */
    static long dayMicros(JsonNode given) throws InvalidValueException {
        if (!given.isString() || !DAY.matcher(given.stringValue()).matches()) {
            throw new InvalidValueException(Text.of("records.field.day"));
        }
        try {
            return micros(LocalDate.parse(given.stringValue())
                    .atStartOfDay(ZoneOffset.UTC)
                    .toInstant());
        } catch (DateTimeException notInTheCalendar) {
            throw new InvalidValueException(Text.of("records.field.day"));
        }
    }

    /** Parses a timestamp with an offset, or a date, which is midnight UTC. */
    static long micros(JsonNode given) throws InvalidValueException {
        if (!given.isString()) {
            throw new InvalidValueException(Text.of("records.field.date-text"));
        }
        return micros(given.stringValue());
    }

    public static long micros(String text) throws InvalidValueException {
        try {
            return micros(
                    DAY.matcher(text).matches()
                            ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                            : OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            throw new InvalidValueException(Text.of("records.field.date"));
        }
    }

    private static long micros(Instant moment) throws InvalidValueException {
        if (moment.isBefore(FIRST) || moment.isAfter(LAST)) {
            throw new InvalidValueException(Text.of("records.field.date-years"));
        }
        return ChronoUnit.MICROS.between(Instant.EPOCH, moment.truncatedTo(ChronoUnit.MICROS));
    }

    public static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** The day whose midnight in UTC this is. */
    static LocalDate day(long micros) {
        return LocalDate.ofEpochDay(
                Math.floorDiv(micros, ChronoUnit.DAYS.getDuration().toNanos() / 1000));
    }
}
