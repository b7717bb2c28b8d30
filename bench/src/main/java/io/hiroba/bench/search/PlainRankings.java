package io.hiroba.bench.search;

import io.hiroba.platform.i18n.Language;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rankings that PostgreSQL has by itself, on the chunks and vectors of the corpus: by the distance of vectors, by
 * {@code ts_rank} of any of the words, and both fused by reciprocal ranks of equal weight.
 */
final class PlainRankings {

    /** The hits of each that are fused. */
    private static final int DEPTH = 50;

    /** The usual constant of reciprocal rank fusion. */
    private static final int RANK_OFFSET = 60;

    private final IndexedCorpus corpus;

    PlainRankings(IndexedCorpus corpus) {
        this.corpus = corpus;
    }

    /** Makes the text search vectors: of the title, the headings and the text, by the rules of each language. */
    void prepare() {
        corpus.run("""
                CREATE TABLE public.plain_chunks AS
                SELECT c.id, to_tsvector('english', t.text) AS english, to_tsvector('simple', t.text) AS simple
                FROM knowledge.knowledge_chunks c
                JOIN knowledge.knowledge_sources s ON s.id = c.source_id
                CROSS JOIN LATERAL (SELECT concat_ws(E'\\n', s.title, c.location ->> 'label', c.content) AS text) t
                """);
        corpus.run("ANALYZE public.plain_chunks");
    }

    List<Long> byVector(SearchQuestion question, int limit) {
        var vector = corpus.vector(question.text());
        return rows("""
                SELECT chunk_id FROM %s ORDER BY embedding <=> CAST(CAST(? AS real[]) AS halfvec), chunk_id LIMIT %d
                """.formatted(vector.space().table(), limit), vector.values());
    }

    List<Long> byWords(SearchQuestion question, int limit) {
        var rules = question.language() == Language.ENGLISH ? "english" : "simple";
        return rows("""
                SELECT p.id
                FROM (SELECT CAST(replace(CAST(plainto_tsquery('%1$s', ?) AS text), ' & ', ' | ') AS tsquery) AS any) q,
                     public.plain_chunks p
                WHERE p.%1$s @@ q.any
                ORDER BY ts_rank(p.%1$s, q.any) DESC, p.id
                LIMIT %2$d
                """.formatted(rules, limit), question.text());
    }

    List<Long> fused(SearchQuestion question, int limit) {
        Map<Long, Double> scores = new LinkedHashMap<>();
        for (var ranking : List.of(byVector(question, DEPTH), byWords(question, DEPTH))) {
            for (int i = 0; i < ranking.size(); i++) {
                scores.merge(ranking.get(i), 1.0 / (RANK_OFFSET + i + 1), Double::sum);
            }
        }
        return scores.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
    }

    private List<Long> rows(String sql, Object parameter) {
        try (var connection = corpus.db().dataSource().getConnection();
                var statement = connection.prepareStatement(sql)) {
            statement.setObject(1, parameter);
            var ids = new ArrayList<Long>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
            }
            return ids;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
