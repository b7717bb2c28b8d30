package io.hiroba.inbox.gitlab.connections;

import io.hiroba.inbox.InboxProblem;
import java.util.Locale;
import java.util.stream.Stream;

/** Who is believed to be somebody there. */
public enum Linking {
    /** Whoever says so. */
    OPEN,
    /** Only whom an admin or the same e-mail address shows to be. */
    CONFIRMED;

    /** The name at every interface and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Linking parse(String text) {
        return Stream.of(values())
                .filter(linking -> linking.text().equals(text))
                .findFirst()
                .orElseThrow(() -> InboxProblem.invalid("linking", "must be open or confirmed"));
    }
}
