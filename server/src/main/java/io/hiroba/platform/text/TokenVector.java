package io.hiroba.platform.text;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the tokens of a text into the text form of PostgreSQL's tsvector.
 *
 * <p>A tsvector has the positions 1 to 16,383 only. Longer texts wrap around: after the last position they continue with the
 * first, each round repeating the end of the one before, so that adjacent words stay adjacent and every phrase of up to
 * {@value #OVERLAP} words is found. A tsvector also has at most 255 positions a lexeme, lexemes of 2,046 bytes and a
 * megabyte in all; the rest is left out.
 */
public final class TokenVector {

    /** The weight of a word in the ranking of matches. */
    public enum Weight {
        LABEL("A"),
        TITLE("B"),
        TEXT("");

        private final String letter;

        Weight(String letter) {
            this.letter = letter;
        }
    }

    /** The bytes of a term in UTF-8 beyond which it is in no vector. */
    private static final int MAX_TERM_BYTES = 2_000;

    private static final int LAST_POSITION = 16_383;
    private static final int OVERLAP = 256;
    /** Wider than any two words that follow one another in a phrase. */
    private static final int GAP = 10;

    private static final int ROUND = LAST_POSITION - OVERLAP;
    private static final int MAX_POSITIONS = 255;
    private static final int MAX_BYTES = 900_000;

    private static final class Places {
        private final StringBuilder text = new StringBuilder();
        private int count;
    }

    private final Map<String, Places> places = new LinkedHashMap<>();
    private int next;
    private int bytes;

    /** Adds the tokens of one text, with a gap behind what came before that no phrase reaches across. */
    public TokenVector add(List<Token> tokens, Weight weight) {
        return add(tokens, 0, weight);
    }

    /** As above; the tokens that begin before {@code titleEnd} are those of a title. */
    public TokenVector add(List<Token> tokens, int titleEnd, Weight weight) {
        int base = next;
        for (var token : tokens) {
            add(token.term(), base + token.position(), token.start() < titleEnd ? Weight.TITLE : weight);
        }
        next = tokens.isEmpty() ? base : base + tokens.getLast().position() + 1 + GAP;
        return this;
    }

    /** Adds a mark to filter by, which is no word of any text. */
    public TokenVector mark(String mark) {
        add(mark, next, Weight.TEXT);
        next += GAP;
        return this;
    }

    private void add(String term, int index, Weight weight) {
        for (int round = Math.max(0, (index - LAST_POSITION) / ROUND); round * ROUND <= index; round++) {
            int position = index - round * ROUND + 1;
            if (position <= LAST_POSITION) {
                place(term, position, weight);
            }
        }
    }

    private void place(String term, int position, Weight weight) {
        var known = places.get(term);
        if (known == null) {
            int size = bytes(term);
            if (size > MAX_TERM_BYTES || bytes + size + 8 > MAX_BYTES) {
                return;
            }
            bytes += size + 8;
            known = new Places();
            places.put(term, known);
        }
        if (known.count < MAX_POSITIONS && bytes + 2 <= MAX_BYTES) {
            bytes += 2;
            known.text.append(known.count++ == 0 ? "" : ",").append(position).append(weight.letter);
        }
    }

    /** Whether a vector can hold {@code term}. */
    public static boolean holds(String term) {
        return bytes(term) <= MAX_TERM_BYTES;
    }

    private static int bytes(String term) {
        return term.getBytes(StandardCharsets.UTF_8).length;
    }

    /** To be cast to tsvector. */
    public String text() {
        var text = new StringBuilder();
        places.forEach((term, where) ->
                text.append(quote(term)).append(':').append(where.text).append(' '));
        return text.toString();
    }

    /** Quotes a lexeme for the text forms of tsvector and tsquery. */
    public static String quote(String lexeme) {
        return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'";
    }
}
