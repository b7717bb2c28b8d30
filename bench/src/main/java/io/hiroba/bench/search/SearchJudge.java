package io.hiroba.bench.search;

import io.hiroba.bench.search.IndexedCorpus.Chunk;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Judges the hits of a question: the passage with the answer is right, others of its document are related. */
final class SearchJudge {

    /** The hits that count. */
    static final int LIMIT = 10;

    static final int RIGHT = 2;
    static final int RELATED = 1;

    private final Map<Long, Chunk> chunks;
    private final Map<String, List<Chunk>> byDocument;

    SearchJudge(Map<Long, Chunk> chunks) {
        this.chunks = chunks;
        byDocument = chunks.values().stream().collect(Collectors.groupingBy(Chunk::document));
    }

    /**
     * The judgement on one answer.
     *
     * @param rank the place of the first right hit, from 1; 0 if there is none
     * @param gain nDCG@10
     */
    record Verdict(SearchQuestion question, List<Long> hits, int rank, double gain, long nanos) {

        boolean isHit(int within) {
            return rank > 0 && rank <= within;
        }
    }

    Verdict judge(SearchQuestion question, List<Long> hits, long nanos) {
        var found = hits.stream().limit(LIMIT).toList();
        var grades = found.stream().map(hit -> grade(question, chunk(hit))).toList();
        double ideal = discounted(ideal(question));
        return new Verdict(
                question, found, grades.indexOf(RIGHT) + 1, ideal == 0 ? 0 : discounted(grades) / ideal, nanos);
    }

    /** The questions whose answer no chunk has as a whole, so that nobody can find it. */
    List<SearchQuestion> withoutPassage(Collection<SearchQuestion> questions) {
        return questions.stream()
                .filter(question -> question.hasAnswer() && !ideal(question).contains(RIGHT))
                .toList();
    }

    Chunk chunk(long id) {
        var chunk = chunks.get(id);
        if (chunk == null) {
            throw new IllegalArgumentException("A chunk that is not of the corpus: " + id);
        }
        return chunk;
    }

    private List<Integer> ideal(SearchQuestion question) {
        return byDocument.getOrDefault(question.document(), List.of()).stream()
                .map(chunk -> grade(question, chunk))
                .sorted(Comparator.reverseOrder())
                .limit(LIMIT)
                .toList();
    }

    int grade(SearchQuestion question, long chunk) {
        return grade(question, chunk(chunk));
    }

    private static int grade(SearchQuestion question, Chunk chunk) {
        if (!question.hasAnswer() || !chunk.document().equals(question.document())) {
            return 0;
        }
        return question.isAnsweredBy(chunk.content()) ? RIGHT : RELATED;
    }

    private static double discounted(List<Integer> grades) {
        double sum = 0;
        for (int i = 0; i < grades.size(); i++) {
            sum += (Math.pow(2, grades.get(i)) - 1) / (Math.log(i + 2) / Math.log(2));
        }
        return sum;
    }
}
