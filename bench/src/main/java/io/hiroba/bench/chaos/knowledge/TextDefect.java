package io.hiroba.bench.chaos.knowledge;

import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A reason why a text never gets a vector, marked in the text itself. */
enum TextDefect {
    NONE(""),
    /** The service refuses the text. */
    REFUSED(" which is refused"),
    /** The service fails on the text. */
    POISON(" which is poison");

    private final String mark;

    TextDefect(String mark) {
        this.mark = mark;
    }

    /** The marker in the text. */
    String mark() {
        return mark;
    }

    static TextDefect of(String text) {
        return Stream.of(REFUSED, POISON)
                .filter(defect -> text.contains(defect.mark()))
                .findFirst()
                .orElse(NONE);
    }

    /** Chooses a defect for one in {@code odds} texts. */
    static TextDefect any(SplittableRandom random, int odds) {
        return random.nextInt(odds) > 0 ? NONE : random.nextBoolean() ? REFUSED : POISON;
    }
}
