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

    private final String result;

    ItemAction(String result) {
        this.result = result;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ItemAction parse(@Nullable String text) {
        return Stream.of(values())
                .filter(action -> action.text().equals(text))
                .findFirst()
                .orElseThrow(() -> InboxProblem.invalid("do", "must be an action on items"));
    }

    /** The message after the action. */
    String message(int items) {
        if (items == 1) {
            return Character.toUpperCase(result.charAt(0)) + result.substring(1) + ".";
        }
        return items == 0 ? "Nothing changed." : items + " items " + result + ".";
    }
}
