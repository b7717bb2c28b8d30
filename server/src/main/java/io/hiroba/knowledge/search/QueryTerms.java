package io.hiroba.knowledge.search;

import io.hiroba.knowledge.search.CandidateQuery.Size;
import io.hiroba.knowledge.search.CandidateQuery.Trust;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.platform.text.Phrase;
import io.hiroba.platform.text.ScriptLanguage;
import io.hiroba.platform.text.TokenVector;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The terms of a query with their weights: a rare term weighs more than a common one, and words that only make a
 * sentence of it are left out, unless they are meant as they are written.
 *
 * @param terms by rarity, the rarest first
 * @param chunks the approximate number of chunks
 */
record QueryTerms(List<Term> terms, double chunks) {

    /** The breadth of the candidates to rank. */
    enum Breadth {
        USUAL,
        /** Used if the usual candidates are too few. */
        WIDE
    }

    static final QueryTerms NONE = new QueryTerms(List.of(), 1);

    private static final Pattern ABBREVIATION = Pattern.compile("\\p{Lu}{2,}");

    /** More would not improve the results; fewer than an int has bits. */
    private static final int MAX_TERMS = 24;

    /**
     * A term.
     *
     * @param spellings any of which is the term
     * @param chunks the approximate document frequency
     * @param counted false if that is a guess, and no chunk may contain it
     * @param weight its inverse document frequency, by its share of the meaning
     * @param word the other terms without which the word that it is a part of is not there, by their plain spellings
     */
    record Term(String plain, List<Phrase> spellings, double chunks, boolean counted, double weight, Set<String> word) {

        Term {
            spellings = List.copyOf(spellings);
            word = Set.copyOf(word);
        }

        /** A term that is a word by itself. */
        Term(List<Phrase> spellings, double chunks, boolean counted, double weight) {
            this(spellings.getFirst().terms().getFirst().lexeme(), spellings, chunks, counted, weight, Set.of());
        }

        /** Whether it is a number, a version or a code. */
        boolean isNumber() {
            return lexeme().chars().anyMatch(Character::isDigit);
        }

        /** Whether texts in every language write it so, as they do names, words in Latin script and codes. */
        boolean isOfAnyLanguage() {
            var language = ScriptLanguage.of(lexeme());
            return language.isEmpty() || language.get() == Language.ENGLISH;
        }

        private String lexeme() {
            return spellings.getFirst().terms().getFirst().lexeme();
        }

        /** Whether a spelling is several words. */
        boolean hasPhrase() {
            return spellings.stream().anyMatch(spelling -> spelling.terms().size() > 1);
        }

        /** As PostgreSQL's tsquery, in text form. */
        String tsquery() {
            return spellings.stream().map(Phrase::tsquery).collect(Collectors.joining(" | ", "(", ")"));
        }
    }

    /** A term of the text with its share of the meaning. */
    private record Share(SpelledTerm term, double share) {

        Share max(Share other) {
            return share < other.share ? other : this;
        }
    }

    /** @param misspelt the terms of words that were misspelt, each with that of its correction, which it is another spelling of */
    static QueryTerms of(String text, TermStatistics frequencies, Map<String, String> misspelt) {
        double all = Math.max(1, frequencies.chunks());
        var words = WholeWords.in(text);
        return new QueryTerms(
                shares(text, misspelt.keySet()).stream()
                        .map(each -> term(each, all, frequencies, misspelt, words))
                        .sorted(Comparator.comparingDouble(Term::weight).reversed())
                        .limit(MAX_TERMS)
                        .sorted(Comparator.comparingDouble(Term::chunks))
                        .toList(),
                all);
    }

    private static Collection<Share> shares(String text, Set<String> misspelt) {
        var shares = new LinkedHashMap<String, Share>();
        for (var term : SpelledTerm.of(text)) {
            double share = TermShare.of(term.token(), text);
            if (share > 0 && TokenVector.holds(term.plain()) && !misspelt.contains(term.plain())) {
                shares.merge(term.plain(), new Share(term, share), Share::max);
            }
        }
        return shares.isEmpty() && isMeantAsWritten(text)
                ? SpelledTerm.of(text).stream()
                        .filter(term -> !term.token().part() && TokenVector.holds(term.plain()))
                        .map(term -> new Share(term, 1))
                        .toList()
                : shares.values();
    }

    /** Whether words that only make a sentence are looked for themselves: a title in quotation marks, or an abbreviation such as IT. */
    private static boolean isMeantAsWritten(String text) {
        return SearchWords.areQuoted(text) || ABBREVIATION.matcher(text).matches();
    }

    private static Term term(
            Share each,
            double all,
            TermStatistics frequencies,
            Map<String, String> misspelt,
            Map<String, Set<String>> words) {
        var spellings = Stream.concat(
                        each.term.spellings().stream(),
                        misspelt.entrySet().stream()
                                .filter(entry -> entry.getValue().equals(each.term.plain()))
                                .map(entry -> Phrase.mark(entry.getKey())))
                .toList();
        var listed = spellings.stream()
                .filter(spelling -> spelling.terms().stream().allMatch(word -> frequencies.isListed(word.lexeme())))
                .toList();
        double sum = (listed.isEmpty() ? spellings.subList(0, 1) : listed)
                .stream()
                        .mapToDouble(spelling -> chunksWith(spelling, frequencies))
                        .sum();
        double chunks = Math.min(all, sum);
        double weight = each.share * Math.log(1 + (all - chunks + 0.5) / (chunks + 0.5));
        var plain = each.term.plain();
        return new Term(plain, spellings, chunks, !listed.isEmpty(), weight, words.getOrDefault(plain, Set.of()));
    }

    private static double chunksWith(Phrase spelling, TermStatistics frequencies) {
        return spelling.terms().stream()
                .mapToDouble(word -> frequencies.chunksWith(word.lexeme()))
                .min()
                .orElse(0);
    }

    boolean isEmpty() {
        return terms.isEmpty();
    }

    /** The same ranks of the terms, but 0 for what is there of words of which the rest is not. */
    Float[] ofWholeWords(Float[] ranks) {
        var missing = IntStream.range(0, ranks.length)
                .filter(i -> ranks[i] == 0)
                .mapToObj(i -> terms.get(i).plain)
                .collect(Collectors.toSet());
        return IntStream.range(0, ranks.length)
                .mapToObj(i -> Collections.disjoint(terms.get(i).word, missing) ? ranks[i] : Float.valueOf(0))
                .toArray(Float[]::new);
    }

    /** @param wanted the number of hits that the candidates must contain */
    CandidateQuery candidates(Breadth breadth, int wanted) {
        return switch (breadth) {
            case USUAL -> CandidateQuery.of(terms, chunks, new Size(10.0 * wanted, 2.0 * wanted), Trust.GUESSES);
            case WIDE -> CandidateQuery.of(terms, chunks, new Size(5_000, 10.0 * wanted), Trust.COUNTS);
        };
    }

    /** The significant terms, to highlight in snippets. */
    List<Phrase> shown() {
        double heaviest = terms.stream().mapToDouble(Term::weight).max().orElse(0);
        return terms.stream()
                .filter(term -> term.weight >= heaviest / 4)
                .flatMap(term -> term.spellings.stream())
                .toList();
    }
}
