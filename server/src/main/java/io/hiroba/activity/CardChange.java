package io.hiroba.activity;

/** A change of one reader's cards that follows from an event. */
sealed interface CardChange {

    long reader();

    /** An act is added to the card of its day. */
    record ActAdded(long reader, Slot slot, ActRecord act) implements CardChange {}

    /** An act is removed from all cards of the slot. */
    record ActRemoved(long reader, Slot slot, ActRecord.Id act) implements CardChange {}

    /** All cards of the slot are deleted: their subject was. */
    record SubjectDeleted(long reader, Slot slot) implements CardChange {}

    /** The acts of {@code other} are removed from all cards of the reader. */
    record UserBlocked(long reader, long other) implements CardChange {}
}
