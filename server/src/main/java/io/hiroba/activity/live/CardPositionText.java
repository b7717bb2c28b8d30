package io.hiroba.activity.live;

import io.hiroba.platform.http.HttpProblem;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** The time of a card as the ids of messages carry it: microseconds since 1970. */
final class CardPositionText {

    /** Some centuries, which the database can compare with. */
    private static final Pattern MICROS = Pattern.compile("[0-9]{1,16}");

    private CardPositionText() {}

    static String write(Instant time) {
        return Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, time));
    }

    static Instant read(String text) {
        if (!MICROS.matcher(text).matches()) {
            throw HttpProblem.invalid("Last-Event-ID", "is not the id of a message of this stream");
        }
        return Instant.EPOCH.plus(Long.parseLong(text), ChronoUnit.MICROS);
    }
}
