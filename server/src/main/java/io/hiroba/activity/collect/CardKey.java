package io.hiroba.activity.collect;

import io.hiroba.activity.Slot;

/** Which card: the reader's, on what, of which day. */
record CardKey(long reader, Slot slot, String term) {

    /** All cards of one reader on one thing. */
    record Topic(long reader, Slot slot) {}

    Topic topic() {
        return new Topic(reader, slot);
    }
}
