package io.hiroba.inbox.items;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Which of somebody's items a list is of. Saved ones are listed wherever they stand. */
public enum View {
    TODO,
    SNOOZED,
    SAVED,
    DONE;

    /** The name at every interface, for example {@code todo}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<View> find(String text) {
        return Stream.of(values()).filter(view -> view.text().equals(text)).findFirst();
    }
}
