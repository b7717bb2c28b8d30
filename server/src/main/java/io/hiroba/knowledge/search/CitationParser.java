package io.hiroba.knowledge.search;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Parses the citations in an answer: {@code [1]} or {@code [1, 3]}. */
final class CitationParser {

    private static final Pattern FORM = Pattern.compile(" ?\\[(\\d{1,3}(?:\\s*,\\s*\\d{1,3})*)]");

    private final int max;
    private final TreeSet<Integer> cited = new TreeSet<>();
    private final String text;

    private CitationParser(String text, int max) {
        this.max = max;
        this.text = FORM.matcher(text).replaceAll(this::checked);
    }

    /** Parses {@code text} and removes citations beyond {@code max}. */
    static CitationParser in(String text, int max) {
        return new CitationParser(text, max);
    }

    private String checked(MatchResult match) {
        var known = Arrays.stream(match.group(1).split("\\s*,\\s*", -1))
                .map(Integer::valueOf)
                .filter(number -> number >= 1 && number <= max)
                .distinct()
                .toList();
        cited.addAll(known);
        var lead = match.group().startsWith(" ") && !known.isEmpty() ? " " : "";
        return lead + known.stream().map(number -> "[" + number + "]").collect(Collectors.joining());
    }

    String text() {
        return text;
    }

    List<Citation> of(List<Citation> passages) {
        return passages.stream()
                .filter(citation -> cited.contains(citation.number()))
                .toList();
    }
}
