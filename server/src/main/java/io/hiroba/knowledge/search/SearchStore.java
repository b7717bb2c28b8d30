package io.hiroba.knowledge.search;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.embedding.QueryEmbeddings.Vector;
import io.hiroba.knowledge.search.QueryTerms.Breadth;
import io.hiroba.platform.db.Argument;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Searches chunks and vectors. Read access is a condition of every branch. A statement contains only the filters that
 * are given. A graph scan has one possible plan, which is cached and therefore needs literal limits; otherwise the
 * statement is planned for the values of its filters.
 */
final class SearchStore {

    /** Ranks beyond the first ones count nearly the same; the usual constant of reciprocal rank fusion. */
    private static final int RANK_OFFSET = 60;

    /** Chunks that are public or the caller's own, except posts of users separated by a block. */
    static final String VISIBLE = """
            (t.is_public OR t.owned_by = :caller)
            AND NOT (t.source_type = 'post' AND EXISTS (
                SELECT FROM social.separated x WHERE x.one = :caller AND x.other = t.owned_by))""";

    /** Very common terms match too many chunks: only the first ones are ranked. */
    private static final int MAX_RANKED = 5_000;

    private static final String COUNTS =
            ", (SELECT count(*) FROM nearest) AS near_count, (SELECT count(*) FROM keyword) AS word_count";

    /** A chunk that was found. */
    record Found(
            ChunkId chunk,
            SourceId source,
            String title,
            SourceType type,
            double score,
            String content,
            @Nullable String url,
            String label) {}

    /** A scan of the vectors: along the HNSW graph, or of every vector that the filters leave. */
    enum VectorScan {
        GRAPH(""),
        /** Adding 0 keeps the planner from using the index. */
        EXACT("0 + ");

        private final String order;

        VectorScan(String order) {
            this.order = order;
        }

        private String conditions(SearchFilters filters) {
            return this == GRAPH ? checks(filters) : SearchStore.conditions(filters);
        }

        private Query query(Reads reads, String sql, SearchFilters filters) {
            return bind(this == GRAPH ? reads.query(sql) : reads.queryPlannedAnew(sql), filters);
        }
    }

    /** The nearest chunks with their similarity. */
    List<Found> vectorSearch(
            Reads reads, UserId caller, Vector vector, SearchFilters filters, int limit, VectorScan scan) {
        return found(scan.query(reads, vectorSql(vector, filters, limit, scan), filters)
                .bind("vector", binary(vector.values()))
                .bind("caller", caller.value()));
    }

    static String vectorSql(Vector vector, SearchFilters filters, int limit, VectorScan scan) {
        return "WITH found AS MATERIALIZED (" + nearest(vector, filters, scan, limit) + ")"
                + details("1 - f.distance", "f.distance", "", limit);
    }

    private static String nearest(Vector vector, SearchFilters filters, VectorScan scan, int limit) {
        return """
                SELECT t.source_id, t.chunk_id, t.embedding <=> CAST(CAST(:vector AS real[]) AS halfvec) AS distance
                FROM %s t
                WHERE %s%s
                ORDER BY %s(t.embedding <=> CAST(CAST(:vector AS real[]) AS halfvec))
                LIMIT %d
                """.formatted(vector.space().table(), VISIBLE, scan.conditions(filters), scan.order, limit);
    }

    /** The number of vectors that the caller may read and the filters leave, counted up to {@code limit}. */
    int count(Reads reads, UserId caller, Vector vector, SearchFilters filters, int limit) {
        var sql = """
                SELECT count(*) FROM (SELECT FROM %s t WHERE %s%s LIMIT :limit) AS counted
                """.formatted(vector.space().table(), VISIBLE, conditions(filters));
        return bind(reads.queryPlannedAnew(sql), filters)
                .bind("caller", caller.value())
                .bind("limit", limit)
                .mapTo(Integer.class)
                .one();
    }

    /** The chunks with the most relevant terms. */
    List<Found> keywordSearch(Reads reads, UserId caller, QueryTerms terms, Breadth breadth, KnowledgeQuery query) {
        var filters = query.filters();
        var sql = keywordSql(terms, query);
        var asked = filters.equals(SearchFilters.NONE) ? reads.query(sql) : bind(reads.queryPlannedAnew(sql), filters);
        return found(words(asked, terms, breadth, query.candidateCount()).bind("caller", caller.value()));
    }

    static String keywordSql(QueryTerms terms, KnowledgeQuery query) {
        return "WITH found AS MATERIALIZED (" + ranking(terms, conditions(query.filters()), query.limit()) + ")"
                + details("f.score / (1 + f.score)", "f.score DESC", "", query.limit());
    }

    /**
     * Ranks by the weights of the terms that a chunk contains, then by their frequency, and a little by its length. Each term
     * has its own place in the sum: unnesting a list of terms for every chunk would cost more than ranking it.
     */
    private static String ranking(QueryTerms terms, String conditions, int limit) {
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
                        MAX_RANKED,
                        limit);
    }

    private static String each(int count, String between, String text) {
        return IntStream.range(0, count).mapToObj(text::formatted).collect(Collectors.joining(between));
    }

    /** Reciprocal rank fusion of both searches: a chunk that is first in both scores 1. */
    HybridResult hybrid(
            Reads reads, UserId caller, Vector vector, QueryTerms terms, KnowledgeQuery query, HybridOptions options) {
        var branches = new int[2];
        var found = words(
                        options.scan().query(reads, hybridSql(vector, terms, query, options), query.filters()),
                        terms,
                        options.breadth(),
                        query.candidateCount())
                .bind("vector", binary(vector.values()))
                .bind("caller", caller.value())
                .bind("offset", RANK_OFFSET)
                .bind("vectorWeight", options.vectorWeight())
                .bind("keywordWeight", options.keywordWeight())
                .bind("threshold", options.threshold())
                .map(row -> {
                    branches[0] = row.getInt("near_count");
                    branches[1] = row.getInt("word_count");
                    return found(row);
                })
                .list();
        return new HybridResult(found, branches[0], branches[1]);
    }

    static String hybridSql(Vector vector, QueryTerms terms, KnowledgeQuery query, HybridOptions options) {
        return """
                WITH nearest AS MATERIALIZED (%s),
                keyword AS MATERIALIZED (%s),
                found AS (
                    SELECT source_id, chunk_id, sum(worth) AS score
                    FROM (SELECT source_id, chunk_id, :vectorWeight / (:offset + row_number() OVER (ORDER BY distance)) AS worth
                          FROM nearest WHERE 1 - distance >= :threshold
                          UNION ALL
                          SELECT source_id, chunk_id,
                                 :keywordWeight / (:offset + row_number() OVER (ORDER BY score DESC, chunk_id DESC))
                          FROM keyword) AS ranks
                    GROUP BY source_id, chunk_id
                    ORDER BY score DESC, chunk_id DESC
                    LIMIT %d)
                """.formatted(
                                nearest(vector, query.filters(), options.scan(), options.depth()),
                                ranking(terms, options.scan().conditions(query.filters()), options.depth()),
                                query.limit())
                + details(
                        "f.score * (:offset + 1) / (:vectorWeight + :keywordWeight)",
                        "f.score DESC",
                        COUNTS,
                        query.limit());
    }

    /**
     * The result of a hybrid search.
     *
     * @param nearest the number of hits of the vector branch
     * @param keyword the number of hits of the keyword branch
     */
    record HybridResult(List<Found> found, int nearest, int keyword) {}

    /**
     * The options of a hybrid search.
     *
     * @param depth the number of hits of each branch that are ranked
     */
    record HybridOptions(
            double vectorWeight, double keywordWeight, double threshold, int depth, VectorScan scan, Breadth breadth) {}

    private static Query words(Query query, QueryTerms terms, Breadth breadth, int wanted) {
        query.bind("candidates", terms.candidates(breadth, wanted).tsquery()).bind("any", terms.any());
        for (int i = 0; i < terms.terms().size(); i++) {
            var term = terms.terms().get(i);
            query.bind("query" + i, term.phrase().keys()).bind("weight" + i, term.weight());
        }
        return query;
    }

    /** Selects the details of the chunks in {@code found}. */
    private static String details(String score, String order, String more, int limit) {
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

    /** As a binary array: as text, a search would take three times as long. */
    private static Argument binary(float[] vector) {
        return (statement, position) -> statement.setObject(position, vector);
    }

    TermStatistics.Frequencies frequencies(Reads reads) {
        var shares = new HashMap<String, Double>();
        double chunks = reads.query("""
                SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = 'knowledge.knowledge_chunks'::regclass
                """).mapTo(Double.class).one();
        reads.query("""
                SELECT f.lexeme, f.share
                FROM pg_stats s
                CROSS JOIN LATERAL unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs)
                    AS f (lexeme, share)
                WHERE s.schemaname = 'knowledge' AND s.tablename = 'knowledge_chunks' AND s.attname = 'words'
                  AND f.lexeme IS NOT NULL
                """)
                .map(row -> Map.entry(row.getString("lexeme"), row.getDouble("share")))
                .forEach(entry -> shares.put(entry.getKey(), entry.getValue()));
        double rarest = shares.values().stream().min(Comparator.naturalOrder()).orElse(0.0);
        return new TermStatistics.Frequencies(chunks, shares, rarest);
    }

    /** As conditions on a table {@code t}, each after an AND. Only those given, so that the plan fits them. */
    private static String conditions(SearchFilters filters) {
        return conditions(filters, "=", "t.created_at");
    }

    /** The same conditions in a form that no index serves: they are checked on what another index finds. */
    private static String checks(SearchFilters filters) {
        return conditions(filters, "IS NOT DISTINCT FROM", "t.created_at + interval '0'");
    }

    private static String conditions(SearchFilters filters, String equals, String created) {
        var conditions = new ArrayList<String>();
        when(conditions, filters.type(), "t.source_type " + equals + " CAST(:type AS knowledge.source_type_enum)");
        when(conditions, filters.source(), "t.source_id " + equals + " :source");
        when(conditions, filters.channel(), "t.channel_id " + equals + " :channel");
        when(conditions, filters.user(), "t.user_id " + equals + " :user");
        when(conditions, filters.after(), created + " >= :after");
        when(conditions, filters.before(), created + " < :before");
        return String.join("", conditions);
    }

    private static void when(List<String> conditions, @Nullable Object given, String condition) {
        if (given != null) {
            conditions.add(" AND " + condition);
        }
    }

    private static Query bind(Query query, SearchFilters filters) {
        var type = filters.type();
        if (type != null) {
            query.bind("type", type.text());
        }
        var source = filters.source();
        if (source != null) {
            query.bind("source", source.value());
        }
        var channel = filters.channel();
        if (channel != null) {
            query.bind("channel", channel);
        }
        var user = filters.user();
        if (user != null) {
            query.bind("user", user);
        }
        var after = filters.after();
        if (after != null) {
            query.bind("after", after);
        }
        var before = filters.before();
        if (before != null) {
            query.bind("before", before);
        }
        return query;
    }
}
