package io.hiroba.inbox;

import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.i18n.Text;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The end of a snooze in requests: one of the three. */
record SnoozeRequest(
        @Nullable String until,
        @Nullable String preset,
        @Nullable String untilEvent) {

    Snooze snooze() {
        if (Stream.of(until, preset, untilEvent).filter(text -> text != null).count() != 1) {
            throw InboxProblem.invalid("until", Text.of("inbox.field.one-end"));
        }
        if (until != null) {
            return Snooze.until(time(until));
        }
        return preset == null ? Snooze.untilEvent(event(String.valueOf(untilEvent))) : Snooze.preset(preset);
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw InboxProblem.invalid("until", Text.of("http.field.time"));
        }
    }

    private static SnoozeEvent event(String text) {
        return Stream.of(SnoozeEvent.values())
                .filter(event -> event.text().equals(text))
                .findFirst()
                .orElseThrow(() -> InboxProblem.notOneOf(
                        "untilEvent", Stream.of(SnoozeEvent.values()).map(SnoozeEvent::text)));
    }
}
