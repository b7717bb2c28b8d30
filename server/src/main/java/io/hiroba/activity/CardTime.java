package io.hiroba.activity;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** The time of a card as texts carry it: to the microsecond, as the database keeps it, so that it can be handed back. */
public final class CardTime {

    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final Pattern SHAPE =
            Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?Z");

    private CardTime() {}

    public static String text(Instant time) {
        return FORM.format(time);
    }

    /** Reads what {@link #text} wrote; of anything else, {@code field} is named in the answer. */
    public static Instant parse(String field, String text) {
        try {
            if (SHAPE.matcher(text).matches()) {
                return Instant.parse(text).truncatedTo(ChronoUnit.MICROS);
            }
        } catch (DateTimeException e) {
            // Answered below, as the wrong shape is.
        }
        throw ActivityProblem.invalid(field, "must be a time such as " + text(Instant.EPOCH));
    }
}
