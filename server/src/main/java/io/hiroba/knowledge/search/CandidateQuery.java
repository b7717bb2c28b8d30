package io.hiroba.knowledge.search;

import io.hiroba.knowledge.search.QueryTerms.Term;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The condition that chunks must meet to be ranked: a rare term, or several terms that rarely occur together. Ranking
 * a chunk costs more than finding it, and chunks with more of the terms rank first: so the combinations that the
 * fewest chunks contain are chosen, until about as many chunks are expected as may be ranked.
 *
 * @param sets each a set of terms that must all occur; none contains another
 * @param all the number of terms of the query
 */
record CandidateQuery(List<List<Term>> sets, int all) {

    /** The rarest terms that are combined to pairs and triples. */
    private static final int MAX_PAIRED = 8;

    private static final int MAX_TRIPLED = 5;

    /** A term in every fifth chunk hardly distinguishes chunks, and takes long to scan. */
    private static final double MAX_COMMONNESS = 0.2;

    /** The index entries to scan, and the maximum where that yields too few. */
    private static final double USUAL_SCAN = 2_000;

    private static final double MAX_SCAN = 20_000;

    /**
     * The number of chunks to rank, if terms were independent.
     *
     * @param usual the target
     * @param least the number below which the target is exceeded
     */
    record Size(double usual, double least) {}

    /** The reliance on terms without statistics. */
    enum Trust {
        GUESSES,
        COUNTS
    }

    /**
     * A combination of terms.
     *
     * @param words a bit per term, by its index
     * @param chunks the expected number of chunks that contain all of them
     * @param sure the same, counting only reliable statistics
     */
    private record Combination(int words, double chunks, double sure) {

        boolean holds(Combination other) {
            return (words & other.words) == other.words;
        }
    }

    /**
     * Chooses the combinations.
     *
     * @param terms by rarity, the rarest first
     * @param chunks the approximate number of chunks
     * @param size the number of chunks to rank
     */
    static CandidateQuery of(List<Term> terms, double chunks, Size size, Trust trust) {
        int leaders = leaders(terms, USUAL_SCAN);
        var chosen = chosen(combinations(terms, leaders, chunks, MAX_COMMONNESS, trust), size);
        if (sure(chosen) < size.least && leaders < terms.size()) {
            leaders = leaders(terms, MAX_SCAN);
            chosen = chosen(combinations(terms, leaders, chunks, 1, trust), size);
        }
        var sets = new ArrayList<List<Term>>();
        chosen.forEach(each -> sets.add(words(terms, each)));
        var left = trust == Trust.GUESSES ? terms : leftOver(terms, sets);
        if (sets.isEmpty() || (trust == Trust.COUNTS && sure(chosen) < size.least && !left.isEmpty())) {
            sets.add(left);
        }
        return new CandidateQuery(sets, terms.size());
    }

    /** The terms with reliable statistics that are not a set by themselves. */
    private static List<Term> leftOver(List<Term> terms, List<List<Term>> sets) {
        boolean none = terms.stream().noneMatch(Term::counted);
        return terms.stream()
                .filter(term -> (none || term.counted()) && !sets.contains(List.of(term)))
                .toList();
    }

    /** The number of terms that may lead a set: each costs an index scan. */
    private static int leaders(List<Term> terms, double walked) {
        int leaders = 0;
        for (double sum = 0; leaders < terms.size(); leaders++) {
            sum += terms.get(leaders).chunks();
            if (sum > walked) {
                break;
            }
        }
        return leaders;
    }

    private static List<Combination> combinations(
            List<Term> terms, int leaders, double chunks, double telling, Trust trust) {
        int paired = paired(terms, chunks * telling);
        var all = new ArrayList<Combination>();
        for (int i = 0; i < leaders; i++) {
            var single = with(new Combination(0, chunks, chunks), i, terms, chunks, trust);
            all.add(single);
            for (int j = i + 1; j < paired; j++) {
                var pair = with(single, j, terms, chunks, trust);
                all.add(pair);
                for (int k = j + 1; k < Math.min(paired, MAX_TRIPLED); k++) {
                    all.add(with(pair, k, terms, chunks, trust));
                }
            }
        }
        return all;
    }

    private static int paired(List<Term> terms, double common) {
        int count = 0;
        while (count < Math.min(MAX_PAIRED, terms.size()) && terms.get(count).chunks() <= common) {
            count++;
        }
        return count;
    }

    private static Combination with(Combination words, int word, List<Term> terms, double chunks, Trust trust) {
        var term = terms.get(word);
        double share = term.chunks() / chunks;
        boolean relied = term.counted() || trust == Trust.GUESSES;
        return new Combination(words.words | 1 << word, words.chunks * share, relied ? words.sure * share : 0);
    }

    /** The rarest combinations, without supersets of others, which find nothing more. */
    private static List<Combination> chosen(List<Combination> all, Size size) {
        var chosen = new ArrayList<Combination>();
        double expected = 0;
        for (var next : all.stream()
                .sorted(Comparator.comparingDouble(Combination::chunks))
                .toList()) {
            var covered = chosen.stream().filter(each -> each.holds(next)).toList();
            expected += next.chunks
                    - covered.stream().mapToDouble(Combination::chunks).sum();
            if (expected > (sure(chosen) < size.least ? Math.max(size.usual, USUAL_SCAN) : size.usual)) {
                break;
            }
            chosen.removeAll(covered);
            chosen.add(next);
        }
        return chosen;
    }

    private static double sure(List<Combination> chosen) {
        return chosen.stream().mapToDouble(Combination::sure).sum();
    }

    private static List<Term> words(List<Term> terms, Combination combination) {
        var words = new ArrayList<Term>();
        for (int i = 0; i < terms.size(); i++) {
            if ((combination.words & 1 << i) != 0) {
                words.add(terms.get(i));
            }
        }
        return words;
    }

    /** The tsquery in text form. */
    String tsquery() {
        return sets.stream()
                .map(set -> set.stream().map(Term::tsquery).collect(Collectors.joining(" & ")))
                .collect(Collectors.joining(" | "));
    }

    /** Whether chunks that contain a term of the query may be left out. */
    boolean leaveOut() {
        return sets.stream().filter(set -> set.size() == 1).count() < all;
    }
}
