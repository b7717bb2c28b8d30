package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeReader;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.embedding.QueryEmbeddings.Vector;
import io.hiroba.platform.db.Argument;
import io.hiroba.testkit.FakeProvider;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestSearch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class RecallSamplerTest {

    private static final int CHUNKS = 5_000;
    private static final int AT_ONCE = 500;
    private static final int QUERIES = 20;
    private static final Instant LATEST = Instant.parse("2030-01-01T00:00:00Z");

    private final TestSearch search = new TestSearch();
    private final Caller reader = search.knowledge.person("reader");

    /** Every second vector is of user 2, every twentieth of channel 20; the last 25 are the only ones of their time. */
    @BeforeAll
    void fill() {
        var source = search.note(search.knowledge.accounts.user("writer"), true, "All", Place.NONE, "one");
        search.knowledge.db.useTransaction(tx -> {
            tx.update("""
                    INSERT INTO knowledge.knowledge_chunks (source_id, id, position, content, content_hash, location,
                        token_count, words, owned_by, is_public, source_type, channel_id, user_id, created_at)
                    SELECT s.id, i, i, 'chunk ' || i, '\\x00', '{"url": null, "label": "Text"}', 1, '', s.owned_by, true,
                           s.type, CASE WHEN i % 20 = 0 THEN 20 END, CASE WHEN i % 2 = 0 THEN 2 END,
                           CASE WHEN i > :chunks - 25 THEN CAST(:latest AS timestamptz) ELSE s.created_at END
                    FROM knowledge.knowledge_sources s CROSS JOIN generate_series(1, :chunks) AS i
                    WHERE s.id = :source
                    """)
                    .bind("source", source.value())
                    .bind("chunks", CHUNKS)
                    .bind("latest", LATEST)
                    .execute();
        });
        var graph = dropGraph();
        for (int from = 0; from < CHUNKS; from += AT_ONCE) {
            embed(source, from);
        }
        search.knowledge.db.useTransaction(tx -> tx.update(graph).execute());
        search.knowledge.db.useTransaction(tx ->
                tx.update("ANALYZE " + search.knowledge.spaces.active().table()).execute());
    }

    /** Drops the graph, for it to be built at once, which is less work than adding vector by vector. */
    private String dropGraph() {
        var name = search.knowledge.spaces.active().table().replace(".", ".idx_") + "_near";
        return search.knowledge.db.inTransaction(tx -> {
            var made = tx.query("SELECT pg_get_indexdef(CAST(:name AS regclass))")
                    .bind("name", name)
                    .mapTo(String.class)
                    .one();
            tx.update("DROP INDEX " + name).execute();
            return made;
        });
    }

    /** Few in each statement, since a statement has only so much time. The same in every run. */
    private void embed(SourceId source, int from) {
        search.knowledge.db.useTransaction(tx -> {
            tx.query("SELECT setseed(:seed)")
                    .bind("seed", from / (double) CHUNKS)
                    .map(row -> true)
                    .list();
            tx.update("""
                    INSERT INTO %s (source_id, chunk_id, owned_by, channel_id, user_id, created_at, source_type, is_public,
                        embedding)
                    SELECT c.source_id, c.id, c.owned_by, c.channel_id, c.user_id, c.created_at, c.source_type, c.is_public,
                           v.vector::real[]::halfvec
                    FROM knowledge.knowledge_chunks c
                    CROSS JOIN LATERAL (
                        SELECT array_agg(random_normal() + c.id * 0 * d) AS vector
                        FROM generate_series(1, :dimensions) AS d) AS v
                    WHERE c.source_id = :source AND c.id > :from AND c.id <= :from + :count
                    """.formatted(search.knowledge.spaces.active().table()))
                    .bind("source", source.value())
                    .bind("from", from)
                    .bind("count", AT_ONCE)
                    .bind("dimensions", FakeProvider.DIMENSIONS)
                    .execute();
        });
    }

    @AfterAll
    void end() {
        search.close();
    }

    private Vector random(int seed) {
        var random = new Random(seed);
        var values = new float[FakeProvider.DIMENSIONS];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return new Vector(search.knowledge.spaces.active(), values);
    }

    private static SearchFilters leaving(String share) {
        return switch (share) {
            case "50 %" -> new SearchFilters(null, null, null, 2L, null, null);
            case "5 %" -> new SearchFilters(null, null, 20L, null, null, null);
            case "0.5 %" -> new SearchFilters(null, null, null, null, LATEST, null);
            default -> SearchFilters.NONE;
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "50 %", "5 %", "0.5 %"})
    void nearlyAllOfTheNearestAreFoundWhateverAFilterLeaves(String share) {
        var recall = IntStream.range(0, QUERIES)
                .mapToDouble(seed -> search.recall.measure(KnowledgeReader.of(reader), random(seed), leaving(share)))
                .average()
                .orElseThrow();
        assertThat(recall).isGreaterThanOrEqualTo(0.95);
    }

    @ParameterizedTest
    @CsvSource({"all, GRAPH", "50 %, GRAPH", "5 %, EXACT", "0.5 %, EXACT"})
    void whereAFilterLeavesFewEachOfThemIsCompared(String share, SearchStore.VectorScan scan) {
        var narrowness = new VectorScanChoice(new SearchStore(), 1_000);
        var chosen = search.searchDatabase.read(
                reads -> narrowness.scan(reads, KnowledgeReader.of(reader), random(1), leaving(share)));
        assertThat(chosen).isEqualTo(scan);
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "50 %", "5 %", "0.5 %"})
    void asManyAreFoundAsWereAskedForWhateverAFilterLeaves(String share) {
        var result = search.search.search(
                reader, new KnowledgeQuery("one chunk", SearchMode.VECTOR, 20, leaving(share), -1.0));
        assertThat(result.hits()).hasSize(20);
        assertThat(result.truncated()).isFalse();
    }

    @Test
    void everyFilterHoldsAlongTheGraphToo() {
        var source = alongTheGraph(SearchFilters.NONE).getFirst().candidate().source();
        var one = new SearchFilters(SourceType.NOTE, source, null, null, Instant.EPOCH, LATEST.plusSeconds(1));
        assertThat(alongTheGraph(one)).hasSize(10);
        assertThat(List.of(
                        new SearchFilters(SourceType.POST, null, null, null, null, null),
                        new SearchFilters(null, new SourceId(source.value() + 1), null, null, null, null),
                        new SearchFilters(null, null, 21L, null, null, null),
                        new SearchFilters(null, null, null, 3L, null, null),
                        new SearchFilters(null, null, null, null, LATEST.plusSeconds(1), null),
                        new SearchFilters(null, null, null, null, null, Instant.EPOCH)))
                .allSatisfy(none -> assertThat(alongTheGraph(none)).isEmpty());
    }

    private List<SearchStore.Found> alongTheGraph(SearchFilters filters) {
        return search.searchDatabase.read(reads -> new SearchStore()
                .vectorSearch(reads, KnowledgeReader.of(reader), random(1), filters, 10, SearchStore.VectorScan.GRAPH));
    }

    /** Collections are a third way to be readable: without an index of them, a narrow filter would read every vector. */
    @Test
    void theGraphAndTheIndexesOfFiltersServeWhatCollectionsLetRead() {
        var team = new SearchFilters(null, null, null, null, null, null, new CollectionId(7));
        var posts = new SearchFilters(SourceType.POST, null, null, null, null, null);
        for (boolean generic : List.of(false, true)) {
            assertThat(plan(SearchFilters.NONE, SearchStore.VectorScan.GRAPH, generic)
                            .toString())
                    .containsPattern("idx_embeddings_\\d+_near");
        }
        assertThat(plan(team, SearchStore.VectorScan.EXACT, false).toString())
                .containsPattern("idx_embeddings_\\d+_collection");
        var narrow = plan(posts, SearchStore.VectorScan.EXACT, false);
        assertThat(narrow.toString()).contains("BitmapOr").containsPattern("idx_embeddings_\\d+_collection");
    }

    private Plan plan(SearchFilters filters, SearchStore.VectorScan scan, boolean generic) {
        var vector = random(1);
        Argument values = (statement, position) -> statement.setObject(position, vector.values());
        return Plan.of(search.searchDatabase, generic, reads -> {
            var query = reads.query(Plan.LEAD + SearchStore.vectorSql(vector, filters, 10, scan))
                    .bind("vector", values)
                    .bind("caller", reader.user().value())
                    .bind("records", true)
                    .bind("resources", true);
            if (filters.collection() != null) {
                query.bind("collection", filters.collection().value());
            }
            if (filters.type() != null) {
                query.bind("type", filters.type().text());
            }
            return query;
        });
    }

    @Test
    void whatSearchesFindIsMeasured() {
        var meters = new SimpleMeterRegistry();
        try (var sampling = new RecallSampler(search.searchDatabase, new SearchConfig(1), meters)) {
            sampling.sample(KnowledgeReader.of(reader), random(1), SearchFilters.NONE);
        }
        var recall = meters.summary("hiroba.knowledge.recall");
        assertThat(recall.count()).isOne();
        assertThat(recall.mean()).isGreaterThanOrEqualTo(0.7);
    }

    @Test
    void fewerThanAskedForAreAllThereAreAndItIsSaid() {
        var some = new SearchFilters(null, null, 20L, null, LATEST, null);
        var result = search.search.search(reader, new KnowledgeQuery("one", SearchMode.VECTOR, 10, some, -1.0));
        assertThat(result.hits()).hasSize(2);
        assertThat(result.truncated()).isTrue();
    }
}
