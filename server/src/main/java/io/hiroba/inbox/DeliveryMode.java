package io.hiroba.inbox;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The delivery of items that a recipient prefers: to the inbox, to the inbox and by mail, or none. */
public enum DeliveryMode {
    ON,
    OFF,
    EMAIL;

    /** The name at every interface and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<DeliveryMode> find(String text) {
        return Stream.of(values()).filter(one -> one.text().equals(text)).findFirst();
    }
}
