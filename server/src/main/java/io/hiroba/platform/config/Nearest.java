package io.hiroba.platform.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known word closest to a misspelt one. */
public final class Nearest {

    private Nearest() {}

    public static Optional<String> to(String word, Collection<String> known) {
        int tolerance = Math.max(2, word.length() / 4);
        return known.stream()
                .min(Comparator.comparingInt((String candidate) -> distance(word, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(candidate -> distance(word, candidate) <= tolerance);
    }

    /** Levenshtein's distance: insertions, deletions and replacements. */
    private static int distance(String a, String b) {
        var row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
