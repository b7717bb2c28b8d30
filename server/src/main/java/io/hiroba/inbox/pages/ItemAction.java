package io.hiroba.inbox.pages;

import io.hiroba.inbox.InboxProblem;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An action on the items of a list. */
enum ItemAction {
    DONE("marked as done"),
    RESTORE("restored"),
    SAVE("saved"),
    UNSAVE("unsaved"),
    SNOOZE("snoozed"),
    UNSNOOZE("unsnoozed"),
    READ("marked as read"),
    UNREAD("marked as unread");

    private final String outcome;

    ItemAction(String outcome) {
        this.outcome = outcome;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ItemAction parse(@Nullable String text) {
        return Stream.of(values())
                .filter(act -> act.text().equals(text))
                .findFirst()
                .orElseThrow(() -> InboxProblem.invalid("do", "must be an action on items"));
    }

    /** The message after the action. */
    String says(int items) {
        if (items == 1) {
            return Character.toUpperCase(outcome.charAt(0)) + outcome.substring(1) + ".";
        }
        return items == 0 ? "Nothing changed." : items + " items " + outcome + ".";
    }
}
