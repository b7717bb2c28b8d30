package io.hiroba.inbox.items;

import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.fanout.Stir;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Until when to put items off, as a caller writes it: one of the three. */
record SnoozeRequest(
        @Nullable String until,
        @Nullable String preset,
        @Nullable String untilEvent) {

    Snooze snooze() {
        if (Stream.of(until, preset, untilEvent).filter(text -> text != null).count() != 1) {
            throw InboxProblem.invalid("until", "or `preset` or `untilEvent` must be given, and only one of them");
        }
        if (until != null) {
            return Snooze.until(time(until));
        }
        return preset == null ? Snooze.untilEvent(stir(String.valueOf(untilEvent))) : Snooze.preset(preset);
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw InboxProblem.invalid("until", "must be a time such as 2026-05-01T08:00:00Z");
        }
    }

    private static Stir stir(String text) {
        return Stream.of(Stir.values())
                .filter(stir -> stir.text().equals(text))
                .findFirst()
                .orElseThrow(() -> InboxProblem.invalid(
                        "untilEvent",
                        "must be one of "
                                + Stream.of(Stir.values()).map(Stir::text).collect(Collectors.joining(", "))));
    }
}
