package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.InboxProblem;
import java.util.Locale;
import java.util.stream.Stream;

/** The state of a delivery. */
public enum DeliveryState {
    WAITING,
    HANDLED,
    /** Its kind of event has no handler; it is counted all the same. */
    IGNORED,
    /** All attempts have failed. */
    FAILED;

    /** The name at every interface and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static DeliveryState parse(String text) {
        return Stream.of(values())
                .filter(state -> state.text().equals(text))
                .findFirst()
                .orElseThrow(
                        () -> InboxProblem.notOneOf("state", Stream.of(values()).map(DeliveryState::text)));
    }
}
