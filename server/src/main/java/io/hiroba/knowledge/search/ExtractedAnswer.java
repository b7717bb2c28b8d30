package io.hiroba.knowledge.search;

import io.hiroba.platform.text.Analysis;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Answers without a model: the sentences of the best passages that share most with the question, each with its citation. */
public final class ExtractedAnswer {

    private static final int MAX_SENTENCES = 4;
    private static final int MAX_PASSAGES = 5;
    private static final int MAX_PASSAGE_LENGTH = 6_000;
    private static final int MAX_SENTENCE_LENGTH = 400;
    private static final int MIN_SENTENCE_LENGTH = 4;

    /** A sentence that scores less than this share of the best one adds nothing. */
    private static final double MIN_SHARE = 0.5;

    /** A later passage counts this much less than the one before it. */
    private static final double RANK_FACTOR = 0.9;

    /** Marks of Markdown at the beginning of a line. */
    private static final Pattern LINE_MARKS = Pattern.compile("^\\s*(?:[#>*+|-]+\\s*|\\d+[.)]\\s+)+");

    /** Text that would read as a citation of this answer. */
    private static final Pattern FOREIGN_CITATION = Pattern.compile("\\[\\s*(\\d[\\d,;\\s]*)]");

    private ExtractedAnswer() {}

    private record Sentence(int number, String text, Set<String> terms, boolean isFirst) {}

    private record Scored(Sentence sentence, double score) {}

    static String of(String question, List<Citation> passages) {
        return extracted(
                question,
                passages.stream()
                        .limit(MAX_PASSAGES)
                        .flatMap(passage ->
                                sentences(passage.number(), passage.hit().content()).stream())
                        .toList());
    }

    /** As above, from texts that are numbered in their order, beginning with 1. */
    public static String ofTexts(String question, List<String> texts) {
        var sentences = new ArrayList<Sentence>();
        for (int i = 0; i < Math.min(texts.size(), MAX_PASSAGES); i++) {
            sentences.addAll(sentences(i + 1, texts.get(i)));
        }
        return extracted(question, sentences);
    }

    /** The words of a question that say what it is about. */
    public static List<String> words(String question) {
        return QuestionWords.of(question);
    }

    /** The share of the terms of a question that a text has, from 0 to 1. */
    public static double coverage(String question, String text) {
        var wanted = QuestionWords.terms(question);
        var found = QuestionWords.terms(Analysis.tokens(text));
        return wanted.isEmpty()
                ? 0
                : (double) wanted.stream().filter(found::contains).count() / wanted.size();
    }

    private static String extracted(String question, List<Sentence> sentences) {
        var wanted = QuestionWords.terms(question);
        var frequency = new HashMap<String, Integer>();
        for (var sentence : sentences) {
            sentence.terms.stream().filter(wanted::contains).forEach(term -> frequency.merge(term, 1, Integer::sum));
        }
        var scored = sentences.stream()
                .map(sentence -> new Scored(sentence, score(sentence, wanted, frequency, sentences.size())))
                .sorted(Comparator.comparingDouble(Scored::score).reversed())
                .toList();
        double best = scored.isEmpty() ? 0 : scored.getFirst().score;
        var chosen = best > 0
                ? scored.stream().filter(each -> each.score >= best * MIN_SHARE).map(Scored::sentence)
                // Found by its meaning alone: the passages begin with what they are about.
                : sentences.stream().filter(Sentence::isFirst);
        var said = new HashSet<String>();
        return chosen.filter(sentence -> said.add(sentence.text))
                .limit(MAX_SENTENCES)
                .map(sentence -> "- %s [%d]".formatted(sentence.text, sentence.number))
                .collect(Collectors.joining("\n"));
    }

    private static double score(Sentence sentence, Set<String> wanted, Map<String, Integer> frequency, int sentences) {
        double score = 0;
        for (var term : sentence.terms) {
            if (wanted.contains(term)) {
                score += Math.log(1 + (double) sentences / frequency.getOrDefault(term, 1));
            }
        }
        return score * Math.pow(RANK_FACTOR, sentence.number - 1);
    }

    private static List<Sentence> sentences(int number, String content) {
        var sentences = new ArrayList<Sentence>();
        for (var line : content.substring(0, Math.min(content.length(), MAX_PASSAGE_LENGTH))
                .split("\\R", -1)) {
            boolean isHeading = line.stripLeading().startsWith("#");
            var text = LINE_MARKS.matcher(line).replaceFirst("");
            var breaks = BreakIterator.getSentenceInstance(Locale.ROOT);
            breaks.setText(text);
            int start = breaks.first();
            for (int end = breaks.next(); end != BreakIterator.DONE && !isHeading; end = breaks.next()) {
                var sentence = cut(FOREIGN_CITATION
                        .matcher(text.substring(start, end).strip())
                        .replaceAll("($1)"));
                if (sentence.length() >= MIN_SENTENCE_LENGTH) {
                    var terms = QuestionWords.terms(Analysis.tokens(sentence));
                    sentences.add(new Sentence(number, sentence, terms, sentences.isEmpty()));
                }
                start = end;
            }
        }
        return sentences;
    }

    private static String cut(String text) {
        return text.codePointCount(0, text.length()) <= MAX_SENTENCE_LENGTH
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_SENTENCE_LENGTH)) + "…";
    }
}
