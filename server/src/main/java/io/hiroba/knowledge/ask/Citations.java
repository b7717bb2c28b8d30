package io.hiroba.knowledge.ask;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The citations in an answer's text: {@code [1]}, or {@code [1, 3]}. */
final class Citations {

    private static final Pattern FORM = Pattern.compile(" ?\\[(\\d{1,3}(?:\\s*,\\s*\\d{1,3})*)]");

    private final int most;
    private final TreeSet<Integer> cited = new TreeSet<>();
    private final String text;

    private Citations(String text, int most) {
        this.most = most;
        this.text = FORM.matcher(text).replaceAll(this::checked);
    }

    /** Reads {@code text}, in which citations of passages beyond {@code most} lead nowhere and are taken out. */
    static Citations in(String text, int most) {
        return new Citations(text, most);
    }

    private String checked(MatchResult match) {
        var known = Arrays.stream(match.group(1).split("\\s*,\\s*", -1))
                .map(Integer::valueOf)
                .filter(number -> number >= 1 && number <= most)
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
