package io.hiroba.inbox.settings;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether something comes into the inbox, and by mail too. */
public enum Delivery {
    ON,
    OFF,
    EMAIL;

    /** The name at every interface and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Delivery> find(String text) {
        return Stream.of(values()).filter(one -> one.text().equals(text)).findFirst();
    }
}
