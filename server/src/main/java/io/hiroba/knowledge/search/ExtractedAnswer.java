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

/**
 * Answers without a model: sentences of the best passages, each with its citation. A sentence counts by the share of the
 * question that it and its heading contain, the first one of a passage somewhat more, and by how likely its passage is.
 */
public final class ExtractedAnswer {

    /** The relevance from which a passage is quoted as an answer, and the share of the question above which it is. */
    private static final double LIKELY = 0.1;

    private static final double LIKELY_COVERAGE = 0.5;

    private static final int MAX_SENTENCES = 4;
    private static final int MAX_PASSAGES = 5;
    private static final int MAX_PASSAGE_LENGTH = 6_000;
    private static final int MAX_SENTENCE_LENGTH = 400;
    private static final int MIN_SENTENCE_LENGTH = 4;
    private static final int MAX_HEADING_LENGTH = 100;

    /** A sentence that scores less than this share of the best one adds nothing. */
    private static final double MIN_SHARE = 0.5;

    /** What a term counts that is in the heading above a sentence. */
    private static final double HEADING = 0.5;

    /** What a term counts that is of the questions before. */
    private static final double EARLIER = 0.5;

    /** What the first sentence of a passage counts by its place: passages begin with what they are about. */
    private static final double FIRST = 0.25;

    /** A mark of Markdown at the beginning of a line, which a sign before a number or a year at the end of a sentence is not. */
    private static final String MARK = "(?:#{1,6}\\s|[>|]|[*+-]\\s|\\d{1,3}[.)]\\s)";

    private static final Pattern PARAGRAPHS =
            Pattern.compile("\\R\\s*\\R|\\R(?=\\s*" + MARK + ")|(?<=(?:^|\\n)#{1,6} [^\\n]{0,200})\\n");

    private static final Pattern LINE_MARKS = Pattern.compile("^\\s*(?:" + MARK + "\\s*)+");
    private static final Pattern HEADING_MARK = Pattern.compile("^\\s*#{1,6}\\s");

    private static final String UNSPACED =
            "[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}\\p{InCJK_Symbols_and_Punctuation}]";

    /** The end of a line in a script that has no spaces between words. */
    private static final Pattern UNSPACED_BREAK =
            Pattern.compile("(?<=" + UNSPACED + ")\\s*\\R\\s*(?=" + UNSPACED + ")");

    private static final Pattern BREAK = Pattern.compile("\\s*\\R\\s*");
    private static final Pattern END_OF_SENTENCE = Pattern.compile("[.!?…:;,。！？：；、，]\\W*$");

    /** Text that would read as a citation of this answer. */
    private static final Pattern FOREIGN_CITATION = Pattern.compile("\\[\\s*(\\d[\\d,;\\s]*)]");

    /** The citation at the end of a sentence. */
    private static final Pattern CITED = Pattern.compile("\\[(\\d{1,3})]$");

    private ExtractedAnswer() {}

    /**
     * A text that may be quoted.
     *
     * @param relevance how likely it answers the question, from 0 to 1
     */
    public record Passage(String text, double relevance) {

        static Passage of(SearchHit hit) {
            return new Passage(hit.content(), hit.score());
        }

        /** Whether it may be quoted as an answer; another one may be named as what comes nearest. */
        public boolean isLikely(String question) {
            return relevance >= LIKELY || coverage(question, text) > LIKELY_COVERAGE;
        }
    }

    private record Sentence(int number, String text, Set<String> terms, Set<String> heading, boolean isFirst) {}

    private record Scored(Sentence sentence, double score) {}

    /** A list in Markdown; the passages are numbered in their order, beginning with 1. Empty if none of them has a sentence. */
    public static String of(String question, List<Passage> passages) {
        return of(FollowUpQuery.of(question), passages);
    }

    static String of(FollowUpQuery query, List<Passage> passages) {
        var sentences = new ArrayList<Sentence>();
        for (int i = 0; i < Math.min(passages.size(), MAX_PASSAGES); i++) {
            sentences.addAll(sentences(i + 1, passages.get(i).text()));
        }
        var weights = weights(query, sentences);
        var scored = sentences.stream()
                .map(sentence -> new Scored(
                        sentence,
                        score(sentence, weights)
                                * passages.get(sentence.number - 1).relevance()))
                .sorted(Comparator.comparingDouble(Scored::score).reversed())
                .toList();
        double least = scored.isEmpty() ? 0 : scored.getFirst().score * MIN_SHARE;
        var said = new HashSet<String>();
        return scored.stream()
                .filter(each -> each.score > 0 && each.score >= least && said.add(each.sentence.text))
                .limit(MAX_SENTENCES)
                .map(each -> "- %s [%d]".formatted(each.sentence.text, each.sentence.number))
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

    /** The share of the terms of a question that a text has, from 0 to 1. */
    public static double coverage(String question, String text) {
        var wanted = QuestionWords.terms(question);
        var found = QuestionWords.terms(Analysis.tokens(text));
        return wanted.isEmpty()
                ? 0
                : (double) wanted.stream().filter(found::contains).count() / wanted.size();
    }

    /** The share of the question that each of its terms is: the rarer, the more. */
    private static Map<String, Double> weights(FollowUpQuery query, List<Sentence> sentences) {
        var weights = new HashMap<String, Double>();
        var own = QuestionWords.terms(query.question());
        for (var term : QuestionWords.terms(query.text())) {
            long frequency = sentences.stream()
                    .filter(sentence -> sentence.terms.contains(term) || sentence.heading.contains(term))
                    .count();
            if (frequency > 0) {
                double rarity = Math.log(1 + (double) sentences.size() / frequency);
                weights.put(term, own.contains(term) ? rarity : rarity * EARLIER);
            }
        }
        double all = weights.values().stream().mapToDouble(Double::doubleValue).sum();
        weights.replaceAll((term, weight) -> weight / all);
        return weights;
    }

    private static double score(Sentence sentence, Map<String, Double> weights) {
        double score = sentence.isFirst ? FIRST : 0;
        for (var each : weights.entrySet()) {
            if (sentence.terms.contains(each.getKey())) {
                score += each.getValue();
            } else if (sentence.heading.contains(each.getKey())) {
                score += each.getValue() * HEADING;
            }
        }
        return score;
    }

    private static List<Sentence> sentences(int number, String content) {
        var sentences = new ArrayList<Sentence>();
        var heading = Set.<String>of();
        var beginning = content.substring(0, Math.min(content.length(), MAX_PASSAGE_LENGTH));
        var paragraphs = PARAGRAPHS.split(beginning.strip(), -1);
        for (int i = 0; i < paragraphs.length; i++) {
            var text = LINE_MARKS.matcher(paragraphs[i]).replaceFirst("").strip();
            if (i < paragraphs.length - 1 && isHeading(paragraphs[i], text)) {
                heading = terms(text);
                continue;
            }
            text = BREAK.matcher(UNSPACED_BREAK.matcher(text).replaceAll("")).replaceAll(" ");
            var breaks = BreakIterator.getSentenceInstance(Locale.ROOT);
            breaks.setText(text);
            int start = breaks.first();
            for (int end = breaks.next(); end != BreakIterator.DONE; end = breaks.next()) {
                var sentence = cut(FOREIGN_CITATION
                        .matcher(text.substring(start, end).strip())
                        .replaceAll("($1)"));
                if (sentence.length() >= MIN_SENTENCE_LENGTH) {
                    sentences.add(new Sentence(number, sentence, terms(sentence), heading, sentences.isEmpty()));
                }
                start = end;
            }
        }
        return sentences;
    }

    /** Whether a paragraph names what follows: it is marked so, or a short line that does not end as a sentence does. */
    private static boolean isHeading(String paragraph, String text) {
        return HEADING_MARK.matcher(paragraph).find()
                || (paragraph.startsWith(text)
                        && text.length() <= MAX_HEADING_LENGTH
                        && !BREAK.matcher(text).find()
                        && !END_OF_SENTENCE.matcher(text).find());
    }

    private static Set<String> terms(String text) {
        return QuestionWords.terms(Analysis.tokens(text));
    }

    private static String cut(String text) {
        return text.codePointCount(0, text.length()) <= MAX_SENTENCE_LENGTH
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_SENTENCE_LENGTH)) + "…";
    }
}
