package io.hiroba.knowledge.search;

import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.search.Calibration.Script;
import io.hiroba.knowledge.search.QueryTerms.Term;
import io.hiroba.knowledge.search.SearchStore.Candidate;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.text.ScriptLanguage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The probability of each candidate of a search to answer its query: weighed by a calibration, not by ranks, so that a half of
 * the search that knows nothing does not push aside what the other is sure of.
 */
final class Relevance {

    /** The models that similarities are calibrated of. */
    private static final String BUILT_IN = "local";

    /** The similarities of the fifty nearest in the built-in model, as they usually are. */
    private static final double USUAL_MEAN = 0.57;

    private static final double USUAL_DEVIATION = 0.03;

    /** The nearest that tell how the similarities of an unknown model are distributed. */
    private static final int ENOUGH = 20;

    /** The place of the candidate that the words of others are compared with: those before it may say the same. */
    private static final int NEIGHBOURS = 4;

    /** The share of the best one's probability that others must have. */
    private static final double COMPARABLE = 0.05;

    /** The share of a query's weight that the best passage has at least where words alone tell. */
    private static final double BY_WORDS = 0.4;

    /** A chunk with nearly all that was asked for is a hit, however many others are. */
    private static final double NEARLY_ALL = 0.8;

    private final SearchMode mode;
    private final QueryTerms terms;
    private final Optional<Language> language;
    private final Script script;
    private final List<Candidate> candidates;
    private final @Nullable Distribution relative;

    /**
     * Prepares a search's relevances.
     *
     * @param model of the vectors; null for a search by keyword
     * @param query the text of the query
     */
    Relevance(SearchMode mode, @Nullable Model model, String query, QueryTerms terms, List<Candidate> candidates) {
        this.mode = mode;
        this.terms = terms;
        this.language = ScriptLanguage.of(query);
        this.script = language.map(Script::of).orElse(Script.SPACED);
        this.candidates = candidates.stream()
                .map(each -> each.withRanks(terms.ofWholeWords(each.ranks())))
                .toList();
        this.relative = model == null || model.provider().equals(BUILT_IN) ? null : Distribution.of(candidates);
    }

    /** The similarities of the nearest chunks. */
    private record Distribution(int count, double mean, double deviation) {

        static Distribution of(List<Candidate> candidates) {
            var near = candidates.stream()
                    .filter(Candidate::isNear)
                    .map(Candidate::similarity)
                    .filter(Objects::nonNull)
                    .mapToDouble(Double::doubleValue)
                    .toArray();
            double mean = Arrays.stream(near).average().orElse(0);
            double variance = Arrays.stream(near)
                    .map(each -> (each - mean) * (each - mean))
                    .average()
                    .orElse(0);
            return new Distribution(near.length, mean, Math.max(0.01, Math.sqrt(variance)));
        }

        double usual(double similarity) {
            return USUAL_MEAN + USUAL_DEVIATION * (similarity - mean) / deviation;
        }
    }

    /**
     * A candidate with its probability to be an answer.
     *
     * @param hasNearlyAll whether it has nearly all that was asked for, so that it is shown however improbable it is
     * @param isEnough whether it is shown
     */
    record Judged(Candidate candidate, double probability, boolean hasNearlyAll, boolean isEnough) {}

    /**
     * All candidates, the most probable first. Where the best one reaches the floor, those of a comparable probability are enough as
     * well: an answer that is no more than likely is often not the first.
     */
    List<Judged> judged() {
        var evidence = evidence();
        var probabilities = IntStream.range(0, candidates.size())
                .mapToDouble(i -> Calibration.of(mode(candidates.get(i)), script)
                        .probability(evidence.get(i).signals()))
                .toArray();
        double best = IntStream.range(0, candidates.size())
                .filter(i -> mayBeBest(candidates.get(i), evidence.get(i)))
                .mapToDouble(i -> probabilities[i])
                .max()
                .orElse(0);
        return IntStream.range(0, candidates.size())
                .mapToObj(i -> judged(candidates.get(i), probabilities[i], best))
                .sorted(Comparator.comparingDouble(Judged::probability)
                        .thenComparingLong(each -> each.candidate().chunk().value())
                        .reversed())
                .toList();
    }

    /** By words alone, a passage with but one of several words is no answer, however few others have that word. */
    private boolean mayBeBest(Candidate candidate, Evidence evidence) {
        return mode(candidate) != SearchMode.KEYWORD || script != Script.SPACED || evidence.covered() >= BY_WORDS;
    }

    private Judged judged(Candidate candidate, double probability, double best) {
        double floor = Calibration.of(mode(candidate), script).floor();
        boolean isCalibrated = relative == null || relative.count() >= ENOUGH;
        boolean hasNearlyAll = covered(candidate) >= NEARLY_ALL;
        boolean isEnough = !isCalibrated || hasNearlyAll || (best >= floor && probability >= best * COMPARABLE);
        return new Judged(candidate, probability, hasNearlyAll, isEnough);
    }

    /** Until a chunk has its vector, its words speak for it alone. */
    private SearchMode mode(Candidate candidate) {
        return mode == SearchMode.HYBRID && candidate.similarity() == null ? SearchMode.KEYWORD : mode;
    }

    /** What speaks for each of the candidates, in their order. */
    List<Evidence> evidence() {
        var about = candidates.stream().mapToDouble(this::about).toArray();
        var sorted = Arrays.stream(about).sorted().toArray();
        double usual = sorted.length < NEIGHBOURS ? 0 : sorted[sorted.length - NEIGHBOURS];
        var evidence = new ArrayList<Evidence>();
        for (int i = 0; i < about.length; i++) {
            var candidate = candidates.get(i);
            boolean isForeign = isForeign(candidate);
            double covered =
                    isForeign ? weighed(candidate, Term::isOfAnyLanguage, Relevance::isThere) : covered(candidate);
            evidence.add(new Evidence(candidate.chunk(), new double[] {
                1,
                similarity(candidate),
                isForeign ? 1 : 0,
                covered,
                covered * covered,
                isForeign ? Math.max(0, ofAnyLanguage(candidate) - usual) : about[i] - usual,
                missingNumbers(candidate)
            }));
        }
        return evidence;
    }

    private double similarity(Candidate candidate) {
        var similarity = candidate.similarity();
        if (similarity == null) {
            return 0;
        }
        return relative == null ? similarity : relative.usual(similarity);
    }

    private boolean isForeign(Candidate candidate) {
        var other = ScriptLanguage.of(candidate.opening());
        return other.isPresent() && language.isPresent() && !other.equals(language) && !isAmbiguous(other.get());
    }

    /** A query without kana may be Japanese as well as Chinese. */
    private boolean isAmbiguous(Language other) {
        return language.equals(Optional.of(Language.CHINESE)) && other == Language.JAPANESE;
    }

    /** The share of the query's weight that the terms have which the candidate contains. */
    private double covered(Candidate candidate) {
        return weighed(candidate, term -> true, Relevance::isThere);
    }

    /** How much the candidate is about the terms, as BM25 says. */
    private double about(Candidate candidate) {
        return weighed(candidate, term -> true, rank -> rank);
    }

    /** The same of the terms that a passage in another language has as the query writes them: names and codes. */
    private double ofAnyLanguage(Candidate candidate) {
        return weighed(candidate, Term::isOfAnyLanguage, rank -> rank);
    }

    private static double isThere(double rank) {
        return rank > 0 ? 1 : 0;
    }

    private double weighed(Candidate candidate, Predicate<Term> which, DoubleUnaryOperator worth) {
        double all = 0;
        double sum = 0;
        for (int i = 0; i < candidate.ranks().length; i++) {
            var term = terms.terms().get(i);
            all += term.weight();
            sum += which.test(term)
                    ? term.weight() * worth.applyAsDouble(candidate.ranks()[i])
                    : 0;
        }
        return all > 0 ? sum / all : 0;
    }

    /** A passage that answers a question about version 9.1 says 9.1, however similar the others are. */
    private double missingNumbers(Candidate candidate) {
        int numbers = 0;
        int missing = 0;
        for (int i = 0; i < candidate.ranks().length; i++) {
            if (terms.terms().get(i).isNumber()) {
                numbers++;
                missing += candidate.ranks()[i] > 0 ? 0 : 1;
            }
        }
        return numbers == 0 ? 0 : (double) missing / numbers;
    }
}
