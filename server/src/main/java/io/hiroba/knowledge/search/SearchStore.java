package io.hiroba.knowledge.search;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.embedding.QueryVectors.Vector;
import io.hiroba.knowledge.search.Terms.Breadth;
import io.hiroba.platform.db.Argument;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The SQL of searching. What the caller may not read is not found, let alone shown: it is a condition of every branch. A
 * statement has the filters that are given and no others. Along the graph of vectors there is nothing that PostgreSQL could
 * choose, and the plan is kept; for that it has to know the limits. Otherwise it chooses an index for the filters' very
 * values.
 */
final class SearchStore {

    /** Ranks beyond the first ones count nearly the same; the usual constant of reciprocal rank fusion. */
    private static final int RANK_OFFSET = 60;

    /** What is public or the caller's own, but no post of somebody from whom a block separates them. */
    private static final String VISIBLE = """
            (t.is_public OR t.owned_by = :caller)
            AND NOT (t.source_type = 'post' AND EXISTS (
                SELECT FROM social.separated x WHERE x.one = :caller AND x.other = t.owned_by))""";

    /** Words that are everywhere find more chunks than anybody waits for: of those, the first ones are ranked. */
    private static final int MOST_RANKED = 5_000;

    private static final String COUNTS =
            ", (SELECT count(*) FROM near) AS near_count, (SELECT count(*) FROM worded) AS word_count";

    /** A chunk found, as it is stored. */
    record Found(
            ChunkId chunk,
            SourceId source,
            String title,
            SourceType type,
            double score,
            String content,
            @Nullable String url,
            String label) {}

    /** Whether a search by meaning goes along the graph of vectors, or looks at every one that the filters leave. */
    enum Way {
        GRAPH(""),
        /** No index can serve a sum. */
        EXACT("0 + ");

        private final String order;

        Way(String order) {
            this.order = order;
        }

        private String conditions(Filters filters) {
            return this == GRAPH ? filters.checks() : filters.conditions();
        }

        private Query query(Reads reads, String sql, Filters filters) {
            return filters.bind(this == GRAPH ? reads.query(sql) : reads.queryPlannedAnew(sql));
        }
    }

    /** The chunks nearest in meaning, with their similarity. */
    List<Found> near(Reads reads, UserId caller, Vector vector, Filters filters, int limit, Way way) {
        var sql = "WITH found AS MATERIALIZED (" + nearest(vector, filters, way, limit) + ")"
                + cards("1 - f.distance", "f.distance", "", limit);
        return found(way.query(reads, sql, filters)
                .bind("vector", binary(vector.values()))
                .bind("caller", caller.value()));
    }

    private static String nearest(Vector vector, Filters filters, Way way, int limit) {
        return """
                SELECT t.source_id, t.chunk_id, t.embedding <=> CAST(CAST(:vector AS real[]) AS halfvec) AS distance
                FROM %s t
                WHERE %s%s
                ORDER BY %s(t.embedding <=> CAST(CAST(:vector AS real[]) AS halfvec))
                LIMIT %d
                """.formatted(vector.space().table(), VISIBLE, way.conditions(filters), way.order, limit);
    }

    /** How many vectors the caller may read and the filters leave, counted up to {@code most}. */
    int count(Reads reads, UserId caller, Vector vector, Filters filters, int most) {
        return filters.bind(
                        reads.queryPlannedAnew("""
                SELECT count(*) FROM (SELECT FROM %s t WHERE %s%s LIMIT :most) AS counted
                """.formatted(vector.space().table(), VISIBLE, filters.conditions())))
                .bind("caller", caller.value())
                .bind("most", most)
                .mapTo(Integer.class)
                .one();
    }

    /** The chunks that hold the words that say most. */
    List<Found> worded(Reads reads, UserId caller, Terms terms, Breadth breadth, SearchQuery query) {
        var filters = query.filters();
        var sql = "WITH found AS MATERIALIZED (" + wording(terms, filters.conditions(), query.limit()) + ")"
                + cards("f.score / (1 + f.score)", "f.score DESC", "", query.limit());
        var asked = filters.equals(Filters.NONE) ? reads.query(sql) : filters.bind(reads.queryPlannedAnew(sql));
        return found(words(asked, terms, breadth, query.wanted()).bind("caller", caller.value()));
    }

    /**
     * First what the words are worth that a chunk holds, then how often it holds them, and a little how short it is. Each word
     * has its own place in the sum: unnesting a list of them for every chunk would cost more than ranking it.
     */
    private static String wording(Terms terms, String conditions, int limit) {
        int count = terms.terms().size();
        return """
                SELECT source_id, chunk_id, score
                FROM (SELECT t.source_id, t.id AS chunk_id,
                             (%s + 30 * ts_rank(t.words, w.any_word)) / (7 + ln(1 + length(t.words))) AS score
                      FROM (SELECT CAST(:any AS tsquery) AS any_word, %s OFFSET 0) AS w, knowledge.knowledge_chunks t
                      WHERE t.words @@ CAST(:candidates AS tsquery) AND %s%s
                      LIMIT %d) AS ranked
                ORDER BY score DESC, chunk_id DESC
                LIMIT %d
                """.formatted(
                        each(count, " + ", "CASE WHEN t.words @@ w.query%1$d THEN :weight%1$d ELSE 0 END"),
                        each(count, ", ", "CAST(:query%1$d AS tsquery) AS query%1$d"),
                        VISIBLE,
                        conditions,
                        MOST_RANKED,
                        limit);
    }

    private static String each(int count, String between, String text) {
        return IntStream.range(0, count).mapToObj(text::formatted).collect(Collectors.joining(between));
    }

    /** Both, each chunk by the sum of what its ranks are worth: 1 for the first of both. */
    Blended hybrid(Reads reads, UserId caller, Vector vector, Terms terms, SearchQuery query, Blend blend) {
        var sql = """
                WITH near AS MATERIALIZED (%s),
                worded AS MATERIALIZED (%s),
                found AS (
                    SELECT source_id, chunk_id, sum(worth) AS score
                    FROM (SELECT source_id, chunk_id, :nearWeight / (:offset + row_number() OVER (ORDER BY distance)) AS worth
                          FROM near WHERE 1 - distance >= :threshold
                          UNION ALL
                          SELECT source_id, chunk_id,
                                 :wordWeight / (:offset + row_number() OVER (ORDER BY score DESC, chunk_id DESC))
                          FROM worded) AS ranks
                    GROUP BY source_id, chunk_id
                    ORDER BY score DESC, chunk_id DESC
                    LIMIT %d)
                """.formatted(
                        nearest(vector, query.filters(), blend.way(), blend.depth()),
                        wording(terms, blend.way().conditions(query.filters()), blend.depth()),
                        query.limit());
        var branches = new int[2];
        var found = words(
                        blend.way()
                                .query(
                                        reads,
                                        sql
                                                + cards(
                                                        "f.score * (:offset + 1) / (:nearWeight + :wordWeight)",
                                                        "f.score DESC",
                                                        COUNTS,
                                                        query.limit()),
                                        query.filters()),
                        terms,
                        blend.breadth(),
                        query.wanted())
                .bind("vector", binary(vector.values()))
                .bind("caller", caller.value())
                .bind("offset", RANK_OFFSET)
                .bind("nearWeight", blend.nearWeight())
                .bind("wordWeight", blend.wordWeight())
                .bind("threshold", blend.threshold())
                .map(row -> {
                    branches[0] = row.getInt("near_count");
                    branches[1] = row.getInt("word_count");
                    return found(row);
                })
                .list();
        return new Blended(found, branches[0], branches[1]);
    }

    /**
     * What a hybrid search found.
     *
     * @param near how many its branch by meaning had
     * @param worded how many its branch by words had
     */
    record Blended(List<Found> found, int near, int worded) {}

    /**
     * How the two branches of a hybrid search are put together.
     *
     * @param depth how many of each branch are ranked
     */
    record Blend(double nearWeight, double wordWeight, double threshold, int depth, Way way, Breadth breadth) {}

    private static Query words(Query query, Terms terms, Breadth breadth, int wanted) {
        query.bind("candidates", terms.candidates(breadth, wanted).tsquery()).bind("any", terms.any());
        for (int i = 0; i < terms.terms().size(); i++) {
            var term = terms.terms().get(i);
            query.bind("query" + i, term.phrase().keys()).bind("weight" + i, term.weight());
        }
        return query;
    }

    /** What is shown of the chunks in {@code found}. */
    private static String cards(String score, String order, String more, int limit) {
        return """

                SELECT f.chunk_id, f.source_id, s.title, s.type, %s AS score, c.content,
                       c.location ->> 'url' AS url, c.location ->> 'label' AS label%s
                FROM found f
                JOIN knowledge.knowledge_chunks c ON c.source_id = f.source_id AND c.id = f.chunk_id
                JOIN knowledge.knowledge_sources s ON s.id = f.source_id
                ORDER BY %s, f.chunk_id DESC
                LIMIT %d
                """.formatted(score, more, order, limit);
    }

    private static List<Found> found(Query query) {
        return query.map(row -> found(row)).list();
    }

    private static Found found(ResultSet row) throws SQLException {
        return new Found(
                new ChunkId(row.getLong("chunk_id")),
                new SourceId(row.getLong("source_id")),
                row.getString("title"),
                SourceType.valueOf(row.getString("type").toUpperCase(Locale.ROOT)),
                row.getDouble("score"),
                row.getString("content"),
                row.getString("url"),
                row.getString("label"));
    }

    /** As an array of PostgreSQL's, sent in binary: as text it would take three times as long to find anything. */
    private static Argument binary(float[] vector) {
        return (statement, position) -> statement.setObject(position, vector);
    }
}
