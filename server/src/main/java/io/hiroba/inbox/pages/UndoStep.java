package io.hiroba.inbox.pages;

import io.hiroba.inbox.InboxItem;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.Snooze;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The undo of an action on one item, as a page carries it: {@code snoozed 0123456789ABCDEF comment}. It is not signed:
 * its bearer could do the same by hand.
 */
record UndoStep(To to, ItemId id, @Nullable String detail) {

    enum To {
        TODO,
        SNOOZED,
        DONE,
        SAVED,
        UNSAVED,
        READ,
        UNREAD;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** An undo to the state of an item: done, snoozed for as long, or to do. */
    static UndoStep toStateOf(InboxItem item) {
        return switch (item.state()) {
            case TODO -> new UndoStep(To.TODO, item.id(), until(item));
            case DONE -> new UndoStep(To.DONE, item.id(), by(item.resolvedBy()));
            case SNOOZED -> new UndoStep(To.SNOOZED, item.id(), until(item));
        };
    }

    private static @Nullable String until(InboxItem item) {
        var event = item.snoozedEvent();
        if (event != null) {
            return event.text();
        }
        var time = item.snoozedUntil();
        return time == null ? null : time.toString();
    }

    private static @Nullable String by(@Nullable Resolution resolution) {
        return resolution == null ? null : resolution.name().toLowerCase(Locale.ROOT);
    }

    static UndoStep of(To to, ItemId id) {
        return new UndoStep(to, id, null);
    }

    String text() {
        return detail == null ? to.text() + " " + id : to.text() + " " + id + " " + detail;
    }

    static UndoStep parse(String text) {
        var parts = List.of(text.split(" ", -1));
        if (parts.size() < 2 || parts.size() > 3) {
            throw invalid();
        }
        try {
            var to = To.valueOf(parts.getFirst().toUpperCase(Locale.ROOT));
            return new UndoStep(to, ItemId.parse(parts.get(1)), parts.size() == 3 ? parts.get(2) : null);
        } catch (IllegalArgumentException e) {
            throw invalid();
        }
    }

    /** The former snooze, unless it is over. */
    Optional<Snooze> snooze(Instant now) {
        if (detail == null) {
            return Optional.empty();
        }
        for (var event : SnoozeEvent.values()) {
            if (event.text().equals(detail)) {
                return Optional.of(Snooze.untilEvent(event));
            }
        }
        return time().filter(until -> until.isAfter(now)).map(Snooze::until);
    }

    /** The end of its snooze, if that was over. */
    Optional<Instant> wokenAt(Instant now) {
        return time().filter(time -> !time.isAfter(now));
    }

    private Optional<Instant> time() {
        try {
            return detail == null ? Optional.empty() : Optional.of(Instant.parse(detail));
        } catch (DateTimeParseException e) {
            throw invalid();
        }
    }

    Resolution resolution() {
        try {
            return detail == null ? Resolution.MARK_DONE : Resolution.valueOf(detail.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw invalid();
        }
    }

    UndoStep asTodo() {
        return new UndoStep(To.TODO, id, null);
    }

    private static InboxProblem invalid() {
        return InboxProblem.invalid("was", Text.of("inbox.field.former-state"));
    }
}
