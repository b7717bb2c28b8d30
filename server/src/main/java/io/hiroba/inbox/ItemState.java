package io.hiroba.inbox;

import java.util.stream.Stream;

/** The state of an item. An item can be saved in each of them. */
public enum ItemState {
    TODO(0),
    SNOOZED(1),
    DONE(2);

    private final int code;

    ItemState(int code) {
        this.code = code;
    }

    /** The number in the database. */
    public int code() {
        return code;
    }

    public static ItemState of(int code) {
        return Stream.of(values()).filter(one -> one.code == code).findFirst().orElseThrow();
    }
}
