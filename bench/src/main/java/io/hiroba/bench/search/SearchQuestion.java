package io.hiroba.bench.search;

import io.hiroba.platform.i18n.Language;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;

/**
 * A question of the judge.
 *
 * @param document the document with the answer, such as {@code en/03-lease}; empty if there is no answer
 * @param answer stands once in the document, in the passage that answers; empty if there is none
 * @param tune whether rankings may be fitted to it; the others are held out
 */
record SearchQuestion(
        String id, Language language, Kind kind, String document, String answer, String text, boolean tune) {

    private static final int COLUMNS = 5;

    /** A kind of question. */
    enum Kind {
        /** In the words of the passage. */
        WORDS,
        /** In other words than the passage. */
        MEANING,
        /** In another language than the document. */
        CROSS,
        /** With a misspelling. */
        TYPO,
        /** About a number, a version or a code. */
        CODE,
        /** Without an answer in any document. */
        NONE;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Kind of(String text) {
            return Arrays.stream(values())
                    .filter(kind -> kind.text().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("No kind of question: " + text));
        }
    }

    /** Parses a line of a file of questions; lines are numbered from 1, and those of even number are for tuning. */
    static SearchQuestion parse(Language language, int number, String line) {
        var columns = line.split("\t", -1);
        if (columns.length != COLUMNS) {
            throw new IllegalArgumentException("questions-%s.tsv:%d has %d columns, not %d"
                    .formatted(language.code(), number, columns.length, COLUMNS));
        }
        return new SearchQuestion(
                columns[0], language, Kind.of(columns[1]), columns[2], columns[3], columns[4], number % 2 == 0);
    }

    boolean hasAnswer() {
        return kind != Kind.NONE;
    }

    boolean isAnsweredBy(String passage) {
        return folded(passage).contains(folded(answer));
    }

    /** The text as it is compared: without white space, the marks of Markdown within lines, case and the width of characters. */
    static String folded(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[\\s`*_]+", "");
    }
}
