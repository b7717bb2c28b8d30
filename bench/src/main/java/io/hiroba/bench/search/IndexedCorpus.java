package io.hiroba.bench.search;

import io.hiroba.accounts.ArchiveStorage;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.bench.BenchDatabase;
import io.hiroba.knowledge.SourceIngestion;
import io.hiroba.knowledge.SourceInput;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.knowledge.Sources;
import io.hiroba.knowledge.SourcesConfig;
import io.hiroba.knowledge.embedding.EmbeddingConfig;
import io.hiroba.knowledge.embedding.EmbeddingProviders;
import io.hiroba.knowledge.embedding.EmbeddingSpaces;
import io.hiroba.knowledge.embedding.EmbeddingWorker;
import io.hiroba.knowledge.embedding.ProviderException;
import io.hiroba.knowledge.embedding.QueryEmbeddings;
import io.hiroba.knowledge.embedding.QueryEmbeddings.Vector;
import io.hiroba.knowledge.search.Evidence;
import io.hiroba.knowledge.search.KnowledgeQuery;
import io.hiroba.knowledge.search.RecallSampler;
import io.hiroba.knowledge.search.Search;
import io.hiroba.knowledge.search.SearchConfig;
import io.hiroba.knowledge.search.SearchFilters;
import io.hiroba.knowledge.search.SearchMode;
import io.hiroba.platform.config.ConfigLoader;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.task.WakeSignal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** The corpus in a database, added and embedded as by a server in its default configuration. */
final class IndexedCorpus implements AutoCloseable {

    private static final Clock CLOCK = Clock.systemUTC();
    private static final UserId OWNER = new UserId(1);
    private static final int POOL = 4;

    final Caller caller = Caller.server(OWNER);
    private final Db db;
    private final Db searchDb;
    private final WorkerLease lease;
    private final EmbeddingSpaces spaces;
    private final EmbeddingProviders providers;
    private final EmbeddingWorker worker;
    private final Sources sources;
    private final QueryEmbeddings queries;
    private final RecallSampler recall;
    private final Search search;
    private final Map<Long, Chunk> chunks = new TreeMap<>();

    /** @param document its name in the corpus */
    record Chunk(long id, String document, String title, String label, String content) {}

    IndexedCorpus(BenchDatabase database, EmbeddingProviders providers) {
        this.providers = providers;
        db = database.db();
        searchDb = Db.open(database.config().withPoolSize(POOL), Search.PLANNER);
        lease = new WorkerLease(db, CLOCK, Duration.ofSeconds(30));
        var meters = new SimpleMeterRegistry();
        var queued = new WakeSignal();
        spaces = new EmbeddingSpaces(db);
        spaces.prepare(embeddingConfig().configuredModel());
        worker = new EmbeddingWorker(spaces, lease.ids(), new EventLog(), providers, embeddingConfig(), queued, meters)
                .start();
        var sourcesConfig = config(SourcesConfig.class, "--originals-per-user=0");
        var ingestion = new SourceIngestion(
                sourcesConfig,
                url -> {
                    throw new IllegalStateException("No page is fetched: " + url);
                },
                CLOCK);
        var writer = new SourceWriter(lease.ids(), CLOCK, queued::raise);
        sources = new Sources(db, CLOCK, writer, new Throttle(db, CLOCK), ingestion, sourcesConfig, new NoFiles());
        queries = new QueryEmbeddings(spaces, providers, meters);
        var searchConfig = config(SearchConfig.class, "--recall-sample=0");
        recall = new RecallSampler(searchDb, searchConfig, meters);
        search = new Search(searchDb, CLOCK, spaces, queries, recall);
    }

    /** A storage that nothing is put into: files are not kept here. */
    private static final class NoFiles implements ArchiveStorage {

        @Override
        public void put(String name, Path archive) {
            throw new IllegalStateException(name);
        }

        @Override
        public void put(String name, byte[] content) {
            throw new IllegalStateException(name);
        }

        @Override
        public Optional<Stored> get(String name) {
            return Optional.empty();
        }

        @Override
        public void delete(String name) {}
    }

    static EmbeddingConfig embeddingConfig() {
        return config(EmbeddingConfig.class);
    }

    private static <T extends Record> T config(Class<T> type, String... arguments) {
        return ConfigLoader.of(type)
                .environment(Map.of())
                .arguments(List.of(arguments))
                .load()
                .value();
    }

    /** Adds all documents and waits for their vectors. */
    void fill(Map<String, String> documents) {
        db.useTransaction(tx -> tx.update("""
                INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                VALUES (1, 'bench@example.org', 'bench', 'x', false, '[]')
                """).execute());
        var names = new HashMap<Long, String>();
        new TreeMap<>(documents).forEach((name, text) -> {
            var added = sources.add(caller, SourceInput.Text.note(null, text), true);
            names.put(added.source().id().value(), name);
        });
        awaitVectors();
        // As autovacuum would: statistics weigh the words.
        db.useTransaction(tx -> tx.update("ANALYZE").execute());
        read(names);
    }

    private void awaitVectors() {
        long waiting;
        while ((waiting = count("knowledge.embedding_queue")) > 0) {
            System.err.printf("· %,d chunks wait for their vectors%n", waiting);
            LockSupport.parkNanos(Duration.ofSeconds(5).toNanos());
        }
        long missing =
                count("knowledge.knowledge_chunks") - count(spaces.active().table());
        if (missing != 0) {
            throw new IllegalStateException(missing + " chunks have no vector");
        }
    }

    private long count(String table) {
        return db.read(reads ->
                reads.query("SELECT count(*) FROM " + table).mapTo(Long.class).one());
    }

    private void read(Map<Long, String> names) {
        db.read(reads -> reads.query("""
                SELECT c.id, c.source_id, s.title, c.location ->> 'label' AS label, c.content
                FROM knowledge.knowledge_chunks c JOIN knowledge.knowledge_sources s ON s.id = c.source_id
                """)
                        .map(row -> new Chunk(
                                row.getLong("id"),
                                names.getOrDefault(row.getLong("source_id"), ""),
                                row.getString("title"),
                                row.getString("label"),
                                row.getString("content")))
                        .list())
                .forEach(chunk -> chunks.put(chunk.id(), chunk));
    }

    Map<Long, Chunk> chunks() {
        return chunks;
    }

    Db db() {
        return searchDb;
    }

    Search search() {
        return search;
    }

    /** The vector of a query, which is computed once. */
    Vector vector(String query) {
        try {
            return queries.of(query);
        } catch (ProviderException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What speaks for the candidates of a search. */
    List<Evidence> evidence(String query, SearchMode mode) {
        // A hybrid search weighs the first fifty of both halves, whatever its limit.
        int limit = mode == SearchMode.HYBRID ? KnowledgeQuery.DEFAULT_LIMIT : KnowledgeQuery.MAX_LIMIT;
        try {
            return search.evidence(caller, new KnowledgeQuery(query, mode, limit, SearchFilters.NONE, null));
        } catch (ProviderException e) {
            throw new IllegalStateException(e);
        }
    }

    void run(String sql) {
        db.useTransaction(tx -> tx.update(sql).execute());
    }

    @Override
    public void close() {
        worker.close();
        recall.close();
        searchDb.close();
        lease.close();
        providers.close();
    }
}
