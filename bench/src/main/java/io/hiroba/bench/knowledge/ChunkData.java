package io.hiroba.bench.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import io.hiroba.bench.BenchDatabase;
import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.NewChunk;
import io.hiroba.knowledge.NewSource;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.knowledge.embedding.EmbeddingSpace;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.EmbeddingSpaces;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.WorkerLease;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.postgresql.PGConnection;

/** The sources and chunks of the benchmark: 200 public sources, half of user 2, one in twenty of channel 20. */
final class ChunkData implements AutoCloseable {

    static final long HALF = 2;
    static final long TWENTIETH = 20;

    private static final int SOURCES = 200;
    private static final UserId OWNER = new UserId(1);

    final Caller reader = new Caller(new UserId(2), false, new Caller.BySession(new SessionId(1)), null);
    final Db db;
    final EmbeddingSpaces spaces;
    final SourceWriter writer;
    final SyntheticCorpus corpus = new SyntheticCorpus();
    final int chunks;
    private final WorkerLease lease;
    private final List<SourceId> sources = new ArrayList<>();

    ChunkData(BenchDatabase database, int chunks) {
        this.chunks = chunks;
        db = database.db();
        lease = new WorkerLease(db, Clock.systemUTC(), Duration.ofSeconds(30));
        writer = new SourceWriter(lease.ids(), Clock.systemUTC());
        spaces = new EmbeddingSpaces(db);
        spaces.prepare(new Model("none", "made-up", SyntheticCorpus.DIMENSIONS));
    }

    /** A source with 0.5 % of the chunks. */
    SourceId source() {
        return sources.get(SOURCES / 2);
    }

    IdGenerator ids() {
        return lease.ids();
    }

    EmbeddingSpace space() {
        return spaces.active();
    }

    void fill() {
        run("""
                INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                VALUES (1, 'bench@example.org', 'bench', 'x', false, '[]'), (2, 'reader@example.org', 'reader', 'x', false, '[]')
                """);
        run("DROP INDEX knowledge.idx_embeddings_%d_near".formatted(space().id()));
        for (int source = 0; source < SOURCES; source++) {
            fill(source);
            if (source % 40 == 39) {
                System.err.printf("· filling %,d of %,d chunks%n", (source + 1) * (chunks / SOURCES), chunks);
            }
        }
        run("TRUNCATE knowledge.embedding_queue");
        System.err.println("· building the graph of vectors");
        db.useTransaction(tx -> {
            tx.update("SET LOCAL maintenance_work_mem = '1GB'").execute();
            tx.update("""
                    CREATE INDEX idx_embeddings_%1$d_near ON knowledge.embeddings_%1$d
                    USING hnsw (embedding halfvec_cosine_ops) WITH (m = 16, ef_construction = 64)
                    """.formatted(space().id())).execute();
        });
        run("ANALYZE knowledge.knowledge_chunks");
        run("ANALYZE " + space().table());
    }

    private void fill(int number) {
        int each = chunks / SOURCES;
        var title = "Source " + number;
        var place = new Place(number % 20 == 0 ? TWENTIETH : null, number % 2 == 0 ? HALF : null);
        var source = new NewSource(OWNER, true, SourceType.NOTE, title, null, null, null, place, Map.of());
        var texts = IntStream.range(0, each)
                .mapToObj(i ->
                        NewChunk.of(title, corpus.text((long) number * each + i), ChunkLocation.of("Part " + i), 60))
                .toList();
        db.useTransaction(tx -> {
            var id = writer.create(tx, source, texts).orElseThrow();
            sources.add(id);
            embed(tx, id, (long) number * each);
        });
    }

    private void embed(Tx tx, SourceId source, long first) {
        try (var insert = tx.connection().prepareStatement("""
                INSERT INTO %s (source_id, chunk_id, owned_by, channel_id, user_id, created_at, source_type, is_public, embedding)
                SELECT source_id, id, owned_by, channel_id, user_id, created_at, source_type, is_public,
                       CAST(CAST(? AS real[]) AS halfvec)
                FROM knowledge.knowledge_chunks WHERE source_id = ? AND position = ?
                """.formatted(space().table()))) {
            var connection = tx.connection().unwrap(PGConnection.class);
            for (int i = 0; i < chunks / SOURCES; i++) {
                insert.setArray(1, connection.createArrayOf("float4", corpus.vector(first + i)));
                insert.setLong(2, source.value());
                insert.setInt(3, i);
                insert.addBatch();
            }
            insert.executeBatch();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void run(String sql) {
        db.useTransaction(tx -> tx.update(sql).execute());
    }

    @Override
    public void close() {
        lease.close();
    }
}
