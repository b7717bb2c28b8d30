package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.InvalidValueException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/** Parses dates in files, with an offset or in the time zone of the import. */
final class DateParser {

    private static final Pattern FORM = Pattern.compile(
            "(\\d{4}-\\d\\d-\\d\\d)(?:[T ](\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?)\\s?(Z|[+-]\\d\\d(?::?\\d\\d)?)?)?");

    private final ZoneId zone;

    DateParser(ZoneId zone) {
        this.zone = zone;
    }

    /** Whether {@code text} looks like a date. */
    static boolean isLikely(String text) {
        return text.length() >= 10 && FORM.matcher(text).matches();
    }

    /** The timestamp with its offset, in the format of the API. */
    String moment(String text) throws InvalidValueException {
        var parts = FORM.matcher(text);
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
