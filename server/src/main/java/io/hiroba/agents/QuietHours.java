package io.hiroba.agents;

import io.hiroba.platform.i18n.Text;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Hours of each day in which an agent answers nothing.
 *
 * @param until on the next day where it is before {@code from}
 */
record QuietHours(LocalTime from, LocalTime until, ZoneId zone) {

    private static final int MAX_ZONE = 50;

    QuietHours {
        if (from.equals(until)) {
            throw AgentsProblem.invalid("until", Text.of("agents.field.quiet-empty"));
        }
    }

    static QuietHours parse(String from, String until, String zone) {
        return new QuietHours(time("from", from), time("until", until), zone(zone));
    }

    static LocalTime time(String field, String text) {
        try {
            return LocalTime.parse(text.strip()).truncatedTo(ChronoUnit.MINUTES);
        } catch (DateTimeParseException e) {
            throw AgentsProblem.invalid(field, Text.of("agents.field.time"));
        }
    }

    static ZoneId zone(String text) {
        try {
            var zone = ZoneId.of(text.strip());
            if (zone.getId().length() <= MAX_ZONE) {
                return zone;
            }
        } catch (DateTimeException e) {
            throw AgentsProblem.invalid("timeZone", Text.of("agents.field.zone"));
        }
        throw AgentsProblem.invalid("timeZone", Text.of("agents.field.zone"));
    }

    /** How long it is quiet from now on; none if it is not. */
    Optional<Duration> left(Instant now) {
        var here = now.atZone(zone);
        var time = here.toLocalTime();
        boolean overnight = until.isBefore(from);
        boolean late = !time.isBefore(from);
        boolean early = time.isBefore(until);
        if (overnight ? !late && !early : !late || !early) {
            return Optional.empty();
        }
        var day = overnight && late ? here.toLocalDate().plusDays(1) : here.toLocalDate();
        var left = Duration.between(now, day.atTime(until).atZone(zone).toInstant());
        // An hour that comes twice, or not at all, may have ended them.
        return Optional.of(left).filter(Duration::isPositive);
    }
}
