package io.hiroba.knowledge.search;

import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.KnowledgeReader;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.embedding.QueryEmbeddings.Vector;
import io.hiroba.knowledge.search.QueryTerms.Breadth;
import io.hiroba.platform.db.Argument;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Searches chunks and vectors. Read access is a condition of every branch. A statement contains only the filters that
 * are given. A graph scan has one possible plan, which is cached and therefore needs literal limits; otherwise the
 * statement is planned for the values of its filters.
 */
final class SearchStore {

    /**
     * Chunks that are public, the caller's own, in a collection of theirs, which the statement asks once, or of a resource that they have
     * an item about; except posts of users separated by a block.
     */
    static final String VISIBLE = """
        (t.is_public OR t.owned_by = :caller
            OR t.collection_id = ANY ((SELECT knowledge.readable_collections(:caller, :records))::bigint[])
            OR t.owned_by = 0 AND t.source_type = 'resource' AND :resources AND EXISTS (
                SELECT FROM knowledge.resource_sources m
                JOIN inbox.resource_reader r ON r.resource_id = m.resource_id
                WHERE m.source_id = t.source_id AND r.user_id = :caller))
        AND NOT (t.source_type = 'post' AND EXISTS (
            SELECT FROM social.separated x WHERE x.one = :caller AND x.other = t.owned_by))\
        """;

    /** Very common terms match too many chunks: only the first ones are ranked. */
    private static final int MAX_RANKED = 500;

    /** What an occurrence of a term counts in the text, and in the title or a heading, of which there is no more than 1. */
    private static final String OCCURRENCES = "'{0.7, 0.7, 1, 1}'";

    /** The query's vector, cast once in a statement: a plan that is kept would cast it for every row. */
    private static final String VECTOR = "(SELECT CAST(CAST(:vector AS real[]) AS halfvec))";

    private static final String OPENING = "left(t.content, 80) AS opening";
    private static final String TEXTS = """
        SELECT t.id AS chunk_id, s.title, s.type, t.content,
               t.location ->> 'url' AS url, t.location ->> 'label' AS label
        FROM unnest(CAST(:sources AS bigint[]), CAST(:chunks AS bigint[])) WITH ORDINALITY AS f (source_id, id, place)
        JOIN knowledge.knowledge_chunks t ON t.source_id = f.source_id AND t.id = f.id
        JOIN knowledge.knowledge_sources s ON s.id = f.source_id
        WHERE %s
        ORDER BY f.place
        """.formatted(VISIBLE);

    /**
     * A chunk that may be a hit, with its signals.
     *
     * @param isNear whether it is among the nearest; it may be a match of the keyword search as well
     * @param similarity the cosine of the vectors; null without a vector
     * @param ranks how much it is about each term, from 0 to 1, as BM25 saturates with the number of occurrences
     * @param opening its first characters, which tell its language
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Candidate(
            ChunkId chunk,
            SourceId source,
            boolean isNear,
            @Nullable Double similarity,
            Float[] ranks,
            String opening) {

        Candidate withRanks(Float[] others) {
            return new Candidate(chunk, source, isNear, similarity, others, opening);
        }

        /** Whether it contains a term. */
        boolean isMatch() {
            return Arrays.stream(ranks).anyMatch(rank -> rank > 0);
        }
    }

    /** A chunk that was found, with what is shown of it. */
    record Found(
            Candidate candidate,
            String title,
            SourceType type,
            String content,
            @Nullable String url,
            String label) {

        ChunkId chunk() {
            return candidate.chunk();
        }
    }

    /** A scan of the vectors: along the HNSW graph, or of every vector that the filters leave. */
    enum VectorScan {
        GRAPH("distance"),
        /** Adding 0 keeps the planner from using the index. */
        EXACT("0 + (t.embedding <=> " + VECTOR + ")");

        private final String order;

        VectorScan(String order) {
            this.order = order;
        }

        private String conditions(SearchFilters filters) {
            return this == GRAPH ? SearchFilterStore.checks(filters) : SearchFilterStore.conditions(filters);
        }

        private Query query(Reads reads, String sql, SearchFilters filters) {
            return SearchFilterStore.bind(this == GRAPH ? reads.query(sql) : reads.queryPlannedAnew(sql), filters);
        }
    }

    /** The nearest chunks with their similarity. */
    List<Found> vectorSearch(
            Reads reads, KnowledgeReader caller, Vector vector, SearchFilters filters, int limit, VectorScan scan) {
        return found(scan.query(reads, vectorSql(vector, filters, limit, scan), filters)
                .bind("vector", binary(vector.values()))
                .bind("caller", caller.user().value())
                .bind("records", caller.records())
                .bind("resources", caller.resources()));
    }

    static String vectorSql(Vector vector, SearchFilters filters, int limit, VectorScan scan) {
        return "WITH found AS MATERIALIZED (" + nearest(vector, filters, scan, limit) + ")"
                + details("", "f.distance, true AS is_near, CAST('{}' AS real[])", "f.distance");
    }

    private static String nearest(Vector vector, SearchFilters filters, VectorScan scan, int limit) {
        return """
            SELECT t.source_id, t.chunk_id, t.embedding <=> %s AS distance
            FROM %s t
            WHERE %s%s
            ORDER BY %s
            LIMIT %d
            """.formatted(VECTOR, vector.space().table(), VISIBLE, scan.conditions(filters), scan.order, limit);
    }

    /** The number of vectors that the caller may read and the filters leave, counted up to {@code limit}. */
    int count(Reads reads, KnowledgeReader caller, Vector vector, SearchFilters filters, int limit) {
        var sql = """
            SELECT count(*) FROM (SELECT FROM %s t WHERE %s%s LIMIT :limit) AS counted
            """.formatted(vector.space().table(), VISIBLE, SearchFilterStore.conditions(filters));
        return SearchFilterStore.bind(reads.queryPlannedAnew(sql), filters)
                .bind("caller", caller.user().value())
                .bind("records", caller.records())
                .bind("resources", caller.resources())
                .bind("limit", limit)
                .mapTo(Integer.class)
                .one();
    }

    /** The chunks with the most relevant terms. */
    List<Found> keywordSearch(
            Reads reads, KnowledgeReader caller, QueryTerms terms, Breadth breadth, KnowledgeQuery query) {
        var filters = query.filters();
        var sql = keywordSql(terms, query);
        var asked = filters.equals(SearchFilters.NONE)
                ? reads.query(sql)
                : SearchFilterStore.bind(reads.queryPlannedAnew(sql), filters);
        return found(words(asked, terms, breadth, query.candidateCount())
                .bind("caller", caller.user().value())
                .bind("records", caller.records())
                .bind("resources", caller.resources()));
    }

    static String keywordSql(QueryTerms terms, KnowledgeQuery query) {
        return "WITH found AS MATERIALIZED ("
                + ranking(terms, SearchFilterStore.conditions(query.filters()), query.limit()) + ")"
                + details(
                        queries(terms) + ", ",
                        "CAST(NULL AS float8) AS distance, false AS is_near, " + ranks(terms),
                        "f.score DESC");
    }

    /**
     * Ranks by the weights of the terms that a chunk contains and by how often, and a little by its length. Each term
     * has its own place in the sum: unnesting a list of terms for every chunk would cost more than ranking it.
     */
    private static String ranking(QueryTerms terms, String conditions, int limit) {
        return """
            SELECT source_id, chunk_id, score
            FROM (SELECT t.source_id, t.id AS chunk_id, (%s) / (7 + ln(1 + length(t.words))) AS score
                  FROM %s, knowledge.knowledge_chunks t
                  WHERE t.words @@ CAST(:candidates AS tsquery) AND %s%s
                  LIMIT %d) AS ranked
            ORDER BY score DESC, chunk_id DESC
            LIMIT %d
            """.formatted(
                        each(terms, " + ", i -> ":weight" + i + " * " + rank(terms, i)),
                        queries(terms),
                        VISIBLE,
                        conditions,
                        MAX_RANKED,
                        limit);
    }

    private static String queries(QueryTerms terms) {
        return "(SELECT " + each(terms, ", ", i -> "CAST(:query%1$d AS tsquery) AS query%1$d".formatted(i))
                + " OFFSET 0) AS w";
    }

    private static String ranks(QueryTerms terms) {
        return "ARRAY[" + each(terms, ", ", i -> rank(terms, i)) + "]";
    }

    /** Of a phrase beside other spellings it would count each word, wherever that stands. */
    private static String rank(QueryTerms terms, int i) {
        var rank = "ts_rank(%s, t.words, w.query%d)".formatted(OCCURRENCES, i);
        return terms.terms().get(i).hasPhrase()
                ? "CASE WHEN t.words @@ w.query%d THEN %s ELSE 0 END".formatted(i, rank)
                : rank;
    }

    private static String each(QueryTerms terms, String between, IntFunction<String> text) {
        return IntStream.range(0, terms.terms().size()).mapToObj(text).collect(Collectors.joining(between));
    }

    /** The first chunks of both searches, each with the signals of both. */
    List<Candidate> candidates(
            Reads reads,
            KnowledgeReader caller,
            Vector vector,
            QueryTerms terms,
            KnowledgeQuery query,
            HybridOptions options) {
        return words(
                        options.scan().query(reads, candidatesSql(vector, terms, query, options), query.filters()),
                        terms,
                        options.breadth(),
                        query.candidateCount())
                .bind("vector", binary(vector.values()))
                .bind("caller", caller.user().value())
                .bind("records", caller.records())
                .bind("resources", caller.resources())
                .map(SearchStore::candidate)
                .list();
    }

    static String candidatesSql(Vector vector, QueryTerms terms, KnowledgeQuery query, HybridOptions options) {
        return """
            WITH nearest AS MATERIALIZED (%s),
            keyword AS MATERIALIZED (%s),
            both_ways AS (
                SELECT source_id, chunk_id, distance, true AS is_near FROM nearest
                UNION ALL
                SELECT k.source_id, k.chunk_id, e.embedding <=> %s, false
                FROM keyword k
                LEFT JOIN %s e ON e.source_id = k.source_id AND e.chunk_id = k.chunk_id
                WHERE NOT EXISTS (
                    SELECT FROM nearest n WHERE n.source_id = k.source_id AND n.chunk_id = k.chunk_id))
            SELECT f.chunk_id, f.source_id, f.distance, f.is_near, %s AS ranks, %s
            FROM %s, both_ways f
            JOIN knowledge.knowledge_chunks t ON t.source_id = f.source_id AND t.id = f.chunk_id
            """.formatted(
                        nearest(vector, query.filters(), options.scan(), options.depth()),
                        ranking(terms, options.scan().conditions(query.filters()), options.depth()),
                        VECTOR,
                        vector.space().table(),
                        ranks(terms),
                        OPENING,
                        queries(terms));
    }

    /** The options of a hybrid search: {@code depth} hits of each branch are candidates. */
    record HybridOptions(int depth, VectorScan scan, Breadth breadth) {}

    private static Query words(Query query, QueryTerms terms, Breadth breadth, int wanted) {
        query.bind("candidates", terms.candidates(breadth, wanted).tsquery());
        for (int i = 0; i < terms.terms().size(); i++) {
            var term = terms.terms().get(i);
            query.bind("query" + i, term.tsquery()).bind("weight" + i, term.weight());
        }
        return query;
    }

    /** The texts of {@code candidates} that are still readable, in their order. */
    List<Found> texts(Reads reads, KnowledgeReader caller, List<Candidate> candidates) {
        var byChunk = new HashMap<Long, Candidate>();
        candidates.forEach(each -> byChunk.put(each.chunk().value(), each));
        return reads.query(TEXTS)
                .bindArray(
                        "sources", Long.class, candidates, each -> each.source().value())
                .bindArray(
                        "chunks", Long.class, candidates, each -> each.chunk().value())
                .bind("caller", caller.user().value())
                .bind("records", caller.records())
                .bind("resources", caller.resources())
                .map(row -> found(row, Objects.requireNonNull(byChunk.get(row.getLong("chunk_id")))))
                .list();
    }

    /** Selects the details of the chunks in {@code found}. */
    private static String details(String from, String signals, String order) {
        return """

            SELECT f.chunk_id, f.source_id, %s AS ranks, %s, s.title, s.type, t.content,
                   t.location ->> 'url' AS url, t.location ->> 'label' AS label
            FROM %sfound f
            JOIN knowledge.knowledge_chunks t ON t.source_id = f.source_id AND t.id = f.chunk_id
            JOIN knowledge.knowledge_sources s ON s.id = f.source_id
            ORDER BY %s, f.chunk_id DESC
            """.formatted(signals, OPENING, from, order);
    }

    private static List<Found> found(Query query) {
        return query.map(row -> found(row, candidate(row))).list();
    }

    private static Found found(ResultSet row, Candidate candidate) throws SQLException {
        return new Found(
                candidate,
                row.getString("title"),
                SourceType.valueOf(row.getString("type").toUpperCase(Locale.ROOT)),
                row.getString("content"),
                row.getString("url"),
                row.getString("label"));
    }

    private static Candidate candidate(ResultSet row) throws SQLException {
        double distance = row.getDouble("distance");
        @Nullable Double similarity = row.wasNull() ? null : 1 - distance;
        return new Candidate(
                new ChunkId(row.getLong("chunk_id")),
                new SourceId(row.getLong("source_id")),
                row.getBoolean("is_near"),
                similarity,
                (Float[]) row.getArray("ranks").getArray(),
                row.getString("opening"));
    }

    /** As a binary array: as text, a search would take three times as long. */
    private static Argument binary(float[] vector) {
        return (statement, position) -> statement.setObject(position, vector);
    }

    /** PostgreSQL's statistics of the terms; before the first ANALYZE, counts of some chunks. */
    TermStatistics.Frequencies frequencies(Reads reads) {
        double chunks = reads.query("""
            SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = 'knowledge.knowledge_chunks'::regclass
            """).mapTo(Double.class).one();
        var shares = shares(reads.query("""
            SELECT f.lexeme, f.share
            FROM pg_stats s
            CROSS JOIN LATERAL unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs)
                AS f (lexeme, share)
            WHERE s.schemaname = 'knowledge' AND s.tablename = 'knowledge_chunks' AND s.attname = 'words'
              AND f.lexeme IS NOT NULL
            """));
        if (chunks == 0 || shares.isEmpty()) {
            chunks = reads.query("SELECT count(*) FROM (SELECT FROM knowledge.knowledge_chunks LIMIT 500) AS counted")
                    .mapTo(Double.class)
                    .one();
            shares = shares(reads.query("""
                SELECT word AS lexeme, ndoc / CAST(greatest(1, :chunks) AS float8) AS share
                FROM ts_stat('SELECT words FROM knowledge.knowledge_chunks LIMIT 500')
                """).bind("chunks", chunks));
        }
        double rarest = shares.values().stream().min(Comparator.naturalOrder()).orElse(0.0);
        return new TermStatistics.Frequencies(chunks, shares, rarest);
    }

    private static Map<String, Double> shares(Query query) {
        var shares = new HashMap<String, Double>();
        query.map(row -> Map.entry(row.getString("lexeme"), row.getDouble("share")))
                .forEach(entry -> shares.put(entry.getKey(), entry.getValue()));
        return shares;
    }
}
