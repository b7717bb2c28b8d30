package io.hiroba.knowledge.search;

import io.hiroba.knowledge.search.Calibration.Script;
import io.hiroba.knowledge.search.PassageSentences.Sentence;
import io.hiroba.platform.text.ScriptLanguage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Answers without a model: sentences of the best passages, each with its citation. A sentence counts by the share of the
 * question that it and its heading contain, the first one of a passage somewhat more, and by how likely its passage is.
 */
public final class ExtractedAnswer {

    /** The relevance from which a passage is quoted as an answer, and the share of the question above which it is. */
    private static final double LIKELY = 0.1;

    private static final double LIKELY_COVERAGE = 0.67;

    /**
     * The same of a question in a script without spaces, and the share of it that a passage in such a script has at least: any two texts in
     * one have some pairs of characters in common, and a model that knows little of the language finds all of them near.
     */
    private static final double LIKELY_UNSPACED = 0.2;

    private static final double LEAST_COVERAGE_UNSPACED = 0.2;

    private static final int MAX_SENTENCES = 4;
    private static final int MAX_PASSAGES = 5;

    /** A sentence that scores less than this share of the best one adds nothing. */
    private static final double MIN_SHARE = 0.5;

    /** What a term counts that is in the heading above a sentence. */
    private static final double HEADING = 0.5;

    /** What a term counts that is of the questions before. */
    private static final double EARLIER = 0.5;

    /** What all terms of the questions before count at most, of what those of the question do. */
    private static final double ALL_EARLIER = 0.7;

    /** What the first sentence of a passage counts by its place: passages begin with what they are about. */
    private static final double FIRST = 0.25;

    /** The citation at the end of a sentence. */
    private static final Pattern CITED = Pattern.compile("\\[(\\d{1,3})]$");

    private ExtractedAnswer() {}

    /**
     * A text that may be quoted.
     *
     * @param heading what names it, a line or path each: the title of its source and its place there
     * @param relevance how likely it answers the question, from 0 to 1
     */
    public record Passage(String heading, String text, double relevance) {

        static Passage of(SearchHit hit) {
            return new Passage(hit.sourceTitle() + "\n" + hit.label(), hit.content(), hit.score());
        }

        /** Whether it may be quoted as an answer; another one may be named as what comes nearest. */
        public boolean isLikely(String question) {
            double covered = coverage(question, heading + "\n" + text);
            if (covered > LIKELY_COVERAGE) {
                return true;
            }
            return isUnspaced(question)
                    ? relevance >= LIKELY_UNSPACED && (covered >= LEAST_COVERAGE_UNSPACED || !isUnspaced(text))
                    : relevance >= LIKELY;
        }

        /** The same that is not quoted. */
        Passage silent() {
            return new Passage(heading, "", relevance);
        }

        private static boolean isUnspaced(String text) {
            return ScriptLanguage.of(text)
                    .filter(language -> Script.of(language) == Script.UNSPACED)
                    .isPresent();
        }
    }

    private record Scored(Sentence sentence, double score) {}

    /** A list in Markdown; the passages are numbered in their order, beginning with 1. Empty if none of them has a sentence. */
    public static String of(String question, List<Passage> passages) {
        return of(FollowUpQuery.of(question), passages);
    }

    static String of(FollowUpQuery query, List<Passage> passages) {
        var sentences = new ArrayList<Sentence>();
        for (int i = 0; i < Math.min(passages.size(), MAX_PASSAGES); i++) {
            sentences.addAll(PassageSentences.of(i + 1, passages.get(i)));
        }
        var weights = weights(query, sentences);
        var scored = sentences.stream()
                .map(sentence -> new Scored(
                        sentence,
                        score(sentence, weights)
                                * passages.get(sentence.number() - 1).relevance()))
                .sorted(Comparator.comparingDouble(Scored::score).reversed())
                .toList();
        double least = scored.isEmpty() ? 0 : scored.getFirst().score * MIN_SHARE;
        var said = new HashSet<String>();
        return scored.stream()
                .filter(each -> each.score > 0 && each.score >= least && said.add(each.sentence.text()))
                .limit(MAX_SENTENCES)
                .map(each -> "- %s [%d]".formatted(each.sentence.text(), each.sentence.number()))
                .collect(Collectors.joining("\n"));
    }

    /** The words of a question that say what it is about. */
    public static List<String> words(String question) {
        return QuestionWords.of(question);
    }

    /** An answer without the sentences of the passages with these numbers. */
    static String without(Set<Integer> numbers, String answer) {
        return answer.lines()
                .filter(line -> {
                    var cited = CITED.matcher(line);
                    return !cited.find() || !numbers.contains(Integer.valueOf(cited.group(1)));
                })
                .collect(Collectors.joining("\n"));
    }

    /** The share of a question that the terms have which a text contains, from 0 to 1. */
    public static double coverage(String question, String text) {
        var found = SpelledTerm.plain(text);
        double all = 0;
        double sum = 0;
        for (var term : QuestionWords.shares(question).entrySet()) {
            all += term.getValue();
            sum += found.contains(term.getKey()) ? term.getValue() : 0;
        }
        return all == 0 ? 0 : sum / all;
    }

    /** The share of the question that each of its terms is: the rarer, the more. */
    private static Map<String, Double> weights(FollowUpQuery query, List<Sentence> sentences) {
        var weights = new HashMap<String, Double>();
        var own = QuestionWords.terms(query.question());
        for (var term : QuestionWords.terms(query.text())) {
            long frequency = sentences.stream()
                    .filter(sentence -> sentence.terms().contains(term)
                            || sentence.heading().contains(term))
                    .count();
            if (frequency > 0) {
                double rarity = Math.log(1 + (double) sentences.size() / frequency);
                weights.put(term, rarity);
            }
        }
        double ofOwn = sum(weights, own::contains);
        double ofEarlier = sum(weights, term -> !own.contains(term));
        double earlier = ofOwn == 0 ? 1 : Math.min(EARLIER, ALL_EARLIER * ofOwn / ofEarlier);
        weights.replaceAll((term, weight) -> own.contains(term) ? weight : weight * earlier);
        double all = weights.values().stream().mapToDouble(Double::doubleValue).sum();
        weights.replaceAll((term, weight) -> weight / all);
        return weights;
    }

    private static double sum(Map<String, Double> weights, Predicate<String> which) {
        return weights.entrySet().stream()
                .filter(each -> which.test(each.getKey()))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private static double score(Sentence sentence, Map<String, Double> weights) {
        double score = sentence.isFirst() ? FIRST : 0;
        for (var each : weights.entrySet()) {
            if (sentence.terms().contains(each.getKey())) {
                score += each.getValue();
            } else if (sentence.heading().contains(each.getKey())) {
                score += each.getValue() * HEADING;
            }
        }
        return score;
    }
}
