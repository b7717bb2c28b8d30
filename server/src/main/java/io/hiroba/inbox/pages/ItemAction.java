package io.hiroba.inbox.pages;

import io.hiroba.inbox.InboxProblem;
import io.hiroba.platform.i18n.Text;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An action on the items of a list. */
enum ItemAction {
    DONE,
    RESTORE,
    SAVE,
    UNSAVE,
    SNOOZE,
    UNSNOOZE,
    READ,
    UNREAD;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ItemAction parse(@Nullable String text) {
        return Stream.of(values())
                .filter(action -> action.text().equals(text))
                .findFirst()
                .orElseThrow(() -> InboxProblem.invalid("do", Text.of("inbox.field.item-action")));
    }

    /** The message after the action. */
    Text message(int items) {
        return Text.of("inbox.did." + text(), "count", items);
    }
}
