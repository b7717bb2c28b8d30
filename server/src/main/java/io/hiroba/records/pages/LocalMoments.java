package io.hiroba.records.pages;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/** Moments as a reader sees and types them, in their own time zone. */
public record LocalMoments(ZoneId zone) {

    private static final DateTimeFormatter SHOWN = DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter TO_SECONDS =
            DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm:ss", Locale.ENGLISH);
    /** What an input of the type {@code datetime-local} takes: anything else it would show as nothing. */
    private static final Pattern PICKED = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?");

    private static final Pattern LOCAL =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,6})?)?");

    /** What the zone is called. */
    String zoneName() {
        return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
    }

    /** For a cell: to the minute, unless it has seconds. */
    String shown(Instant moment) {
        var local = moment.atZone(zone);
        return (local.getSecond() == 0 && local.getNano() == 0 ? SHOWN : TO_SECONDS).format(local);
    }

    /** The type of the input that shows {@code typed} as it is, so that saving it again changes nothing. */
    static String input(String typed) {
        return typed.isEmpty() || PICKED.matcher(typed).matches() ? "datetime-local" : "text";
    }

    /** For an input of the type that {@link #input} says. */
    String typed(Instant moment) {
        return LocalDateTime.ofInstant(moment, zone).toString();
    }

    /** What somebody typed, as a moment with its offset; what does not look like a local time stays as it is. */
    String absolute(String typed) {
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
