package io.hiroba.knowledge.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Splits a text into parts of a bounded number of tokens: between paragraphs if possible, else between lines,
 * sentences, clauses, words and finally characters. The parts together are the text, except for white space around
 * them.
 */
public final class TextSplitter {

    /** Each matches the place behind a boundary; from the coarsest to the finest. */
    private static final List<Pattern> BOUNDARIES = List.of(
            Pattern.compile("(?<=\\n)[ \\t]*\\n+"),
            Pattern.compile("(?<=\\n)"),
            Pattern.compile("(?<=[.!?…]\\s)|(?<=[。！？])"),
            Pattern.compile("(?<=[,;:—]\\s)|(?<=[、，；：])"),
            Pattern.compile("(?<=\\s)"));

    private final int max;
    private final List<String> parts = new ArrayList<>();
    private final StringBuilder part = new StringBuilder();
    /** The sum of the tokens of the pieces, an estimate of those of the part. */
    private int tokens;

    private TextSplitter(int max) {
        this.max = max;
    }

    /** The parts of {@code text}, each of at most {@code max} tokens, none of them blank. */
    public static List<String> split(String text, int max) {
        var splitter = new TextSplitter(max);
        splitter.add(text, 0);
        while (!splitter.part.isEmpty()) {
            splitter.end();
        }
        return List.copyOf(splitter.parts);
    }

    private void add(String text, int level) {
        if (fits(text)) {
            append(text);
        } else if (level == BOUNDARIES.size()) {
            halve(text);
        } else {
            for (var piece : BOUNDARIES.get(level).split(text, -1)) {
                add(piece, level + 1);
            }
        }
    }

    /** Without a boundary of any kind, in the middle, but never inside a character. */
    private void halve(String text) {
        int middle = text.offsetByCodePoints(0, text.codePointCount(0, text.length()) / 2);
        if (middle == 0) {
            append(text);
            return;
        }
        for (var half : List.of(text.substring(0, middle), text.substring(middle))) {
            if (fits(half)) {
                append(half);
            } else {
                halve(half);
            }
        }
    }

    private void append(String piece) {
        int count = TokenCounter.count(piece);
        // Counting the whole for each piece would take the square of the time: it is done where the sum of all pieces
        // is
        // too much, and the sum goes on from there.
        while (!part.isEmpty() && tokens + count > max) {
            int whole = TokenCounter.count(part.toString());
            if (whole + count > max || whole >= tokens) {
                end();
            } else {
                tokens = whole;
            }
        }
        part.append(piece);
        tokens += count;
    }

    /** Ends the part. Should it have more tokens than its pieces had, it is cut, and the last piece begins a new one. */
    private void end() {
        var text = part.toString().strip();
        part.setLength(0);
        tokens = 0;
        if (!text.isEmpty() && (fits(text) || text.codePointCount(0, text.length()) == 1)) {
            parts.add(text);
        } else if (!text.isEmpty()) {
            halve(text);
        }
    }

    private boolean fits(String text) {
        return TokenCounter.fit(text, max);
    }
}
