package io.hiroba.activity;

/** The key of a card: reader, slot and day. */
record CardKey(long reader, Slot slot, String term) {

    /** The key of all cards of a reader with one slot. */
    record Topic(long reader, Slot slot) {}

    Topic topic() {
        return new Topic(reader, slot);
    }
}
