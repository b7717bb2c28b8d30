package io.hiroba.bench.chaos.knowledge;

import java.util.SplittableRandom;
import java.util.stream.Stream;

/** The reason why a text never gets a vector. The text says so itself. */
enum Flaw {
    NONE(""),
    /** The service says that it will not have it. */
    REFUSED(" which is refused"),
    /** The service fails at it. */
    POISON(" which is poison");

    private final String mark;

    Flaw(String mark) {
        this.mark = mark;
    }

    /** What a text with this flaw holds. */
    String mark() {
        return mark;
    }

    static Flaw of(String text) {
        return Stream.of(REFUSED, POISON)
                .filter(flaw -> text.contains(flaw.mark()))
                .findFirst()
                .orElse(NONE);
    }

    /** One in {@code odds} texts has one. */
    static Flaw any(SplittableRandom random, int odds) {
        return random.nextInt(odds) > 0 ? NONE : random.nextBoolean() ? REFUSED : POISON;
    }
}
