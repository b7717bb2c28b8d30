package io.hiroba.inbox.pages;

import io.hiroba.inbox.InboxProblem;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What somebody does with items in a list. */
enum Act {
    DONE("marked done"),
    RESTORE("put back"),
    SAVE("saved"),
    UNSAVE("not saved any more"),
    SNOOZE("snoozed"),
    UNSNOOZE("back in what is to do"),
    READ("marked read"),
    UNREAD("marked unread");

    private final String outcome;

    Act(String outcome) {
        this.outcome = outcome;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Act parse(@Nullable String text) {
        return Stream.of(values())
                .filter(act -> act.text().equals(text))
                .findFirst()
                .orElseThrow(() -> InboxProblem.invalid("do", "must be something that can be done with items"));
    }

    /** What was done, in a sentence. */
    String says(int items) {
        if (items == 1) {
            return Character.toUpperCase(outcome.charAt(0)) + outcome.substring(1) + ".";
        }
        return items == 0 ? "Nothing has changed." : items + " items " + outcome + ".";
    }
}
