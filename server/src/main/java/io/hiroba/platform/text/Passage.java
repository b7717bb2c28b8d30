package io.hiroba.platform.text;

import io.hiroba.platform.text.Phrase.Span;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** Cuts out the passage of a text that matches a query best, and marks the matches in it. */
public final class Passage {

    /**
     * Some characters of a passage.
     *
     * @param hit whether they match the query
     */
    public record Piece(String text, boolean hit) {}

    private static final String OMITTED = "…";
    /** Longer texts are searched for hits in their beginning only: a page of results must not cost seconds. */
    private static final int MAX_READ = 20_000;

    private static final int MAX_HITS = 1_000;

    private final String text;
    private final int size;

    private Passage(String text, int size) {
        this.text = text;
        this.size = size;
    }

    /**
     * Cuts about {@code size} characters out of {@code text} where most of {@code phrases} are close together; its beginning if
     * it has none of them.
     */
    public static List<Piece> of(String text, List<Phrase> phrases, int size) {
        return new Passage(text, size).cut(hits(text, phrases));
    }

    /** As {@link #of}, with every place marked where one of {@code parts} stands, in any case and also within a word. */
    public static List<Piece> containing(String text, List<String> parts, int size) {
        return new Passage(text, size).cut(hitsOfParts(text, parts));
    }

    private static List<Hit> hitsOfParts(String text, List<String> parts) {
        var hits = new ArrayList<Hit>();
        for (int i = 0; i < parts.size(); i++) {
            var part = parts.get(i);
            int last = Math.min(text.length(), MAX_READ) - part.length();
            for (int at = 0; at <= last && !part.isEmpty() && hits.size() < MAX_HITS; at++) {
                if (text.regionMatches(true, at, part, 0, part.length())) {
                    hits.add(new Hit(at, at + part.length(), i));
                    at += part.length() - 1;
                }
            }
        }
        hits.sort(Comparator.comparingInt(Hit::start).thenComparingInt(Hit::end));
        return hits;
    }

    /** A hit and the number of the phrase that it is of. */
    private record Hit(int start, int end, int phrase) {}

    private static List<Hit> hits(String text, List<Phrase> phrases) {
        if (phrases.isEmpty()) {
            return List.of();
        }
        var wanted = Phrase.lexemes(phrases);
        var byTerm = new HashMap<String, List<Token>>();
        var read = text.substring(0, Math.min(text.length(), MAX_READ));
        for (var token : SignedName.with(Analysis.tokens(read), read)) {
            if (wanted.contains(token.term())) {
                byTerm.computeIfAbsent(token.term(), term -> new ArrayList<>()).add(token);
            }
        }
        var hits = new ArrayList<Hit>();
        for (int i = 0; i < phrases.size(); i++) {
            for (Span span : phrases.get(i).in(byTerm)) {
                hits.add(new Hit(span.start(), span.end(), i));
            }
        }
        hits.sort(Comparator.comparingInt(Hit::start).thenComparingInt(Hit::end));
        return hits;
    }

    private List<Piece> cut(List<Hit> hits) {
        int start = 0;
        int end = Math.min(text.length(), size);
        if (!hits.isEmpty()) {
            int first = best(hits);
            int last = first;
            while (last + 1 < hits.size() && hits.get(last + 1).end - hits.get(first).start <= size) {
                last++;
            }
            int spare = Math.max(0, size - (hits.get(last).end - hits.get(first).start)) / 2;
            start = Math.max(0, hits.get(first).start - spare);
            end = Math.min(text.length(), Math.max(start + size, hits.get(first).end));
            start = Math.max(0, Math.min(start, end - size));
            start = boundary(start, hits.get(first).start);
        }
        return pieces(hits, start, end == text.length() ? end : boundary(end, end));
    }

    /**
     * The hit with which the passage with the most different phrases begins; of equal ones, the most hits, the first.
     */
    private int best(List<Hit> hits) {
        int best = 0;
        long bestScore = -1;
        for (int first = 0; first < hits.size(); first++) {
            var phrases = new HashSet<Integer>();
            int count = 0;
            for (int i = first; i < hits.size() && count < 100; i++, count++) {
                if (hits.get(i).end - hits.get(first).start > size) {
                    break;
                }
                phrases.add(hits.get(i).phrase);
            }
            long score = phrases.size() * 1000L + count;
            if (score > bestScore) {
                bestScore = score;
                best = first;
            }
        }
        return best;
    }

    /** A place near {@code index} that divides no word or, where there are no spaces, no character. */
    private int boundary(int index, int latest) {
        if (index == 0) {
            return 0;
        }
        for (int i = index; i < Math.min(latest, index + 20); i++) {
            if (Character.isWhitespace(text.charAt(i - 1))) {
                return i;
            }
        }
        for (int i = index; latest == index && i > Math.max(1, index - 20); i--) {
            if (Character.isWhitespace(text.charAt(i - 1))) {
                return i - 1;
            }
        }
        int from = Math.max(0, index - 50);
        var graphemes = BreakIterator.getCharacterInstance(Locale.ROOT);
        graphemes.setText(text.substring(from, Math.min(text.length(), index + 50)));
        return graphemes.isBoundary(index - from) ? index : from + graphemes.preceding(index - from);
    }

    private List<Piece> pieces(List<Hit> hits, int start, int end) {
        var pieces = new ArrayList<Piece>();
        var plain = new StringBuilder(start > 0 ? OMITTED : "");
        int at = start;
        for (var span : merged(hits)) {
            int from = Math.max(at, span.start());
            int to = Math.min(end, span.end());
            if (from < to) {
                show(pieces, plain.append(text, at, from).toString(), false);
                show(pieces, text.substring(from, to), true);
                plain.setLength(0);
                at = to;
            }
        }
        plain.append(text, at, end).append(end < text.length() ? OMITTED : "");
        show(pieces, plain.toString(), false);
        return List.copyOf(pieces);
    }

    /** Merges hits that touch or overlap. */
    private static List<Span> merged(List<Hit> hits) {
        var merged = new ArrayList<Span>();
        for (var hit : hits) {
            if (!merged.isEmpty() && hit.start <= merged.getLast().end()) {
                var last = merged.removeLast();
                merged.add(new Span(last.start(), Math.max(last.end(), hit.end)));
            } else {
                merged.add(new Span(hit.start, hit.end));
            }
        }
        return merged;
    }

    private static void show(List<Piece> pieces, String text, boolean hit) {
        if (!text.isEmpty()) {
            pieces.add(new Piece(text.replace('\n', ' '), hit));
        }
    }
}
