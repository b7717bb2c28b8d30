package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.PatternNode.At;
import io.hiroba.records.PatternNode.Either;
import io.hiroba.records.PatternNode.One;
import io.hiroba.records.PatternNode.Place;
import io.hiroba.records.PatternNode.Repeated;
import io.hiroba.records.PatternNode.Sequence;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression that a whole text must match. It is simulated as a nondeterministic automaton, a character at a
 * time, so that the time is bounded by the product of the lengths of pattern and text.
 */
final class TextPattern {

    /** The maximum length of a text to match. */
    static final int MAX_TEXT_LENGTH = 2000;

    private static final int MAX_LENGTH = 500;
    private static final int MAX_STEPS = 1000;
    private static final int MAX_KNOWN = 1000;
    private static final Map<String, TextPattern> KNOWN = new ConcurrentHashMap<>();

    /** A state: consumes a character, or moves on to one or two other states; the final one does neither. */
    private record Step(
            @Nullable IntPredicate character, @Nullable Place place, int next, int other) {}

    private final List<Step> steps = new ArrayList<>();
    private final int first;

    private TextPattern(PatternNode node) throws InvalidValueException {
        int last = add(null, null, -1, -1);
        first = lead(node, last);
    }

    static TextPattern of(String text) throws InvalidValueException {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            throw new InvalidValueException(Text.of("records.field.pattern-length"));
        }
        return new TextPattern(new PatternParser(text).read());
    }

    /** As {@link #of}, cached. */
    static TextPattern known(String text) throws InvalidValueException {
        var known = KNOWN.get(text);
        if (known == null) {
            known = of(text);
            if (KNOWN.size() >= MAX_KNOWN) {
                KNOWN.clear();
            }
            KNOWN.put(text, known);
        }
        return known;
    }

    /** Compiles {@code node} to states that lead to {@code next}, and returns the first. */
    private int lead(PatternNode node, int next) throws InvalidValueException {
        return switch (node) {
            case One(var character) -> add(character, null, next, -1);
            case At(var place) -> add(null, place, next, -1);
            case Sequence(var parts) -> {
                int step = next;
                for (var part : parts.reversed()) {
                    step = lead(part, step);
                }
                yield step;
            }
            case Either(var alternatives) -> {
                int step = lead(alternatives.getLast(), next);
                for (var way : alternatives.reversed().subList(1, alternatives.size())) {
                    step = add(null, null, lead(way, next), step);
                }
                yield step;
            }
            case Repeated repeated -> lead(repeated, next);
        };
    }

    private int lead(Repeated repeated, int next) throws InvalidValueException {
        int step = next;
        if (repeated.most() < 0) {
            step = add(null, null, next, -1);
            steps.set(step, new Step(null, null, next, lead(repeated.part(), step)));
        } else {
            for (int i = repeated.least(); i < repeated.most(); i++) {
                step = add(null, null, next, lead(repeated.part(), step));
            }
        }
        for (int i = 0; i < repeated.least(); i++) {
            step = lead(repeated.part(), step);
        }
        return step;
    }

    private int add(@Nullable IntPredicate character, @Nullable Place place, int next, int other)
            throws InvalidValueException {
        if (steps.size() >= MAX_STEPS) {
            throw new InvalidValueException(Text.of("records.field.pattern-expanded"));
        }
        steps.add(new Step(character, place, next, other));
        return steps.size() - 1;
    }

    boolean matches(String text) throws InvalidValueException {
        int[] characters = text.codePoints().toArray();
        if (characters.length > MAX_TEXT_LENGTH) {
            throw new InvalidValueException(Text.of("records.field.pattern-text"));
        }
        var reached = new BitSet(steps.size());
        reach(first, characters, 0, reached);
        for (int at = 0; at < characters.length && !reached.isEmpty(); at++) {
            var further = new BitSet(steps.size());
            for (int i = reached.nextSetBit(0); i >= 0; i = reached.nextSetBit(i + 1)) {
                var step = steps.get(i);
                if (step.character() != null && step.character().test(characters[at])) {
                    reach(step.next(), characters, at + 1, further);
                }
            }
            reached = further;
        }
        return reached.get(0);
    }

    private void reach(int from, int[] characters, int at, BitSet reached) {
        if (reached.get(from)) {
            return;
        }
        reached.set(from);
        var step = steps.get(from);
        if (step.character() != null || (step.place() != null && !isAt(step.place(), characters, at))) {
            return;
        }
        if (step.next() >= 0) {
            reach(step.next(), characters, at, reached);
        }
        if (step.other() >= 0) {
            reach(step.other(), characters, at, reached);
        }
    }

    private static boolean isAt(Place place, int[] characters, int at) {
        return switch (place) {
            case BEGINNING -> at == 0;
            case END -> at == characters.length;
            case WORD_EDGE -> isWord(characters, at - 1) != isWord(characters, at);
            case NO_WORD_EDGE -> isWord(characters, at - 1) == isWord(characters, at);
        };
    }

    private static boolean isWord(int[] characters, int at) {
        return at >= 0
                && at < characters.length
                && (characters[at] == '_' || (characters[at] < 128 && Character.isLetterOrDigit(characters[at])));
    }
}
