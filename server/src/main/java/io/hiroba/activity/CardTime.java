package io.hiroba.activity;

import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Text;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** Text forms of a card's time: to the microsecond, as the database stores it, so that it can be handed back. */
final class CardTime {

    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final Pattern TEXT = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}"
            + "(\\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})");

    /** Some centuries, which the database can compare with. */
    private static final Pattern MICROS = Pattern.compile("[0-9]{1,16}");

    private CardTime() {}

    static String text(Instant time) {
        return FORMAT.format(time);
    }

    /** Parses what {@link #text} wrote, or another date-time with an offset; of anything else, {@code field} is named in the problem. */
    static Instant parse(String field, String text) {
        try {
            if (TEXT.matcher(text).matches()) {
                return OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MICROS);
            }
        } catch (DateTimeException e) {
            // Refused below, as the wrong format is.
        }
        throw ActivityProblem.invalid(field, Text.of("activity.field.time", "example", text(Instant.EPOCH)));
    }

    /** Microseconds since 1970, for the ids of messages of the event stream. */
    static String micros(Instant time) {
        return Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, time));
    }

    static Instant parseMicros(String text) {
        if (!MICROS.matcher(text).matches()) {
            throw HttpProblem.invalid("Last-Event-ID", Text.of("http.field.no-message"));
        }
        return Instant.EPOCH.plus(Long.parseLong(text), ChronoUnit.MICROS);
    }
}
