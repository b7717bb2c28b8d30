package io.hiroba.records;

import java.util.List;
import java.util.function.IntPredicate;

/** A part of a pattern. */
sealed interface PatternNode {

    /** One character. */
    record One(IntPredicate character) implements PatternNode {}

    /** A zero-width position. */
    record At(Place place) implements PatternNode {}

    record Sequence(List<PatternNode> parts) implements PatternNode {}

    record Either(List<PatternNode> alternatives) implements PatternNode {}

    /**
     * A repetition.
     *
     * @param most -1 for unbounded
     */
    record Repeated(PatternNode part, int least, int most) implements PatternNode {}

    /** The kind of a position. */
    enum Place {
        BEGINNING,
        END,
        WORD_EDGE,
        NO_WORD_EDGE
    }
}
