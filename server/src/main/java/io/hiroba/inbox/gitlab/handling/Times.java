package io.hiroba.inbox.gitlab.handling;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times in the forms in which GitLab writes them; without a zone they are UTC. */
final class Times {

    private static final Pattern FORM = Pattern.compile("""
            (?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})\
            (?:[Tt ]\\s*(?<hour>\\d{2}):\\s*(?<minute>\\d{2})(?::\\s*(?<second>\\d{2})(?:[.,](?<part>\\d{1,9}))?)?)?\
            \\s*(?<zone>[Zz]|UTC|GMT|[+-]\\d{2}:?(?:\\d{2})?)?""");
    private static final int NANO_DIGITS = 9;
    /** The database keeps no less. */
    private static final int NANOS_OF_MICRO = 1000;

    private Times() {}

    static Optional<Instant> parse(String text) {
        var match = FORM.matcher(text.strip());
        if (!match.matches()) {
            return Optional.empty();
        }
        try {
            var local = LocalDateTime.of(
                    number(match.group("year")),
                    number(match.group("month")),
                    number(match.group("day")),
                    number(match.group("hour")),
                    number(match.group("minute")),
                    Math.min(59, number(match.group("second"))),
                    nanos(match.group("part")));
            return Optional.of(local.toInstant(zone(match.group("zone"))));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static int number(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    private static int nanos(@Nullable String digits) {
        if (digits == null) {
            return 0;
        }
        int nanos = Integer.parseInt(digits + "0".repeat(NANO_DIGITS - digits.length()));
        return nanos - nanos % NANOS_OF_MICRO;
    }

    private static ZoneOffset zone(@Nullable String zone) {
        return zone == null || Character.isLetter(zone.charAt(0)) ? ZoneOffset.UTC : ZoneOffset.of(zone);
    }
}
