package io.hiroba.activity.collect;

import io.hiroba.activity.Slot;

/** What an event means to the cards of one reader. */
sealed interface Change {

    long reader();

    /** Somebody did something. */
    record Done(long reader, Slot slot, Act act) implements Change {}

    /** It was taken back. */
    record Withdrawn(long reader, Slot slot, Act.Id act) implements Change {}

    /** What the cards of the slot are about is gone. */
    record Gone(long reader, Slot slot) implements Change {}

    /** The reader is to hear no more of {@code other}. */
    record Separated(long reader, long other) implements Change {}
}
