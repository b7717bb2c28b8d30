package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.DateOrder;
import io.hiroba.records.InvalidValueException;
import io.hiroba.records.WrittenValues;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses days in files, and moments, which have an offset or are in the time zone of the import. */
final class DateParser {

    private static final Pattern FORM = Pattern.compile(
            "(\\d{4}-\\d\\d-\\d\\d)(?:[T ](\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?)\\s?(Z|[+-]\\d\\d(?::?\\d\\d)?)?)?");

    /** A day, as programs that know no days write one as well. */
    private static final Pattern DAY = Pattern.compile(
            "(\\d{4}-\\d\\d-\\d\\d)(?:[T ]00:00(?::00(?:\\.0{1,9})?)?\\s?(?:Z|[+-]\\d\\d(?::?\\d\\d)?)?)?");

    private final ZoneId zone;
    private final @Nullable DateOrder order;

    /** @param order that of days such as {@code 8/7/2026}; null if they are refused */
    DateParser(ZoneId zone, @Nullable DateOrder order) {
        this.zone = zone;
        this.order = order;
    }

    /** Whether {@code text} looks like a day without a time. */
    static boolean isLikelyDay(String text) {
        return (text.length() == 10 && DAY.matcher(text).matches())
                || (text.indexOf(':') < 0 && WrittenValues.isLikelyTime(text));
    }

    /** The text in the plain form, with month and day in the order of the file. */
    private String plain(String text) throws InvalidValueException {
        var plain = WrittenValues.time(text);
        if (DateOrder.of(plain).isEmpty()) {
            return plain;
        }
        if (order == null) {
            throw new InvalidValueException(Text.of("records.transfer.date-order"));
        }
        return order.plain(plain).orElseThrow(() -> new InvalidValueException(Text.of("records.transfer.no-date")));
    }

    /** The day as it is written, in no time zone. */
    String day(String text) throws InvalidValueException {
        var parts = DAY.matcher(plain(text));
        if (!parts.matches()) {
            throw new InvalidValueException(Text.of("records.field.day"));
        }
        try {
            return LocalDate.parse(parts.group(1)).toString();
        } catch (DateTimeException e) {
            throw new InvalidValueException(Text.of("records.transfer.no-date"));
        }
    }

    /** Whether {@code text} looks like a day or a moment. */
    static boolean isLikely(String text) {
        return (text.length() >= 10 && FORM.matcher(text).matches()) || WrittenValues.isLikelyTime(text);
    }

    /** The timestamp with its offset, in the format of the API. */
    String moment(String text) throws InvalidValueException {
        var parts = FORM.matcher(plain(text));
        if (!parts.matches()) {
            throw new InvalidValueException(Text.of("records.transfer.date"));
        }
        try {
            var time = parts.group(2);
            if (time == null) {
                return written(
                        LocalDate.parse(parts.group(1)).atStartOfDay(zone).toOffsetDateTime());
            }
            var offset = parts.group(3);
            return offset == null
                    ? written(LocalDateTime.parse(parts.group(1) + "T" + time)
                            .atZone(zone)
                            .toOffsetDateTime())
                    : written(OffsetDateTime.parse(parts.group(1) + "T" + time + full(offset)));
        } catch (DateTimeException e) {
            throw new InvalidValueException(Text.of("records.transfer.no-date"));
        }
    }

    private static String written(OffsetDateTime moment) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(moment);
    }

    /** Normalizes {@code +09} and {@code +0900} to {@code +09:00}. */
    private static String full(String offset) {
        return switch (offset.length()) {
            case 3 -> offset + ":00";
            case 5 -> offset.substring(0, 3) + ":" + offset.substring(3);
            default -> offset;
        };
    }
}
