package io.hiroba.inbox;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A list of the inbox. Saved items are listed in any state. */
public enum InboxView {
    TODO,
    SNOOZED,
    SAVED,
    DONE;

    /** The name at every interface, for example {@code todo}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<InboxView> find(String text) {
        return Stream.of(values()).filter(view -> view.text().equals(text)).findFirst();
    }
}
