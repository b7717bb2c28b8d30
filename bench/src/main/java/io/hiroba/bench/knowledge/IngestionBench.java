package io.hiroba.bench.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.NewChunk;
import io.hiroba.knowledge.NewSource;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.knowledge.embedding.EmbeddingConfig;
import io.hiroba.knowledge.embedding.EmbeddingProvider;
import io.hiroba.knowledge.embedding.EmbeddingWorker;
import io.hiroba.platform.config.ConfigLoader;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.task.WakeSignal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.postgresql.PGConnection;

/** The benchmark of ingesting chunked documents until their vectors can be found, with an instant provider. */
final class IngestionBench implements AutoCloseable {

    private static final int CHUNKS = 20;
    private static final UserId OWNER = new UserId(1);

    private final ChunkData data;
    private final SourceWriter writer;
    private final EmbeddingWorker worker;
    private final AtomicLong next = new AtomicLong(1L << 32);

    IngestionBench(ChunkData data) {
        this.data = data;
        var config = ConfigLoader.of(EmbeddingConfig.class)
                .environment(Map.of())
                .arguments(List.of())
                .load()
                .value();
        var signal = new WakeSignal();
        var events = new EventLog();
        EmbeddingProvider free = (texts, purpose) ->
                texts.stream().map(text -> data.corpus.vector(text.hashCode())).toList();
        writer = new SourceWriter(data.ids(), Clock.systemUTC(), signal::raise);
        worker = new EmbeddingWorker(
                        data.spaces, data.ids(), events, model -> free, config, signal, new SimpleMeterRegistry())
                .start();
    }

    /** Adds documents, waits until all are embedded and returns documents per second. */
    double ours(int documents) {
        long start = System.nanoTime();
        for (int i = 0; i < documents; i++) {
            var chunks = chunks();
            data.db.inTransaction(tx -> writer.create(tx, source(), chunks).orElseThrow());
        }
        while (data.db.<Boolean>read(reads -> reads.query("SELECT EXISTS (SELECT FROM knowledge.embedding_queue)")
                .mapTo(Boolean.class)
                .one())) {
            LockSupport.parkNanos(5_000_000);
        }
        return documents / ((System.nanoTime() - start) / 1e9);
    }

    /** The baseline: source, chunks and vectors in one transaction without a queue, impossible with a real provider. */
    double plain(int documents) {
        data.run("ALTER TABLE knowledge.knowledge_chunks DISABLE TRIGGER chunks_added");
        long start = System.nanoTime();
        for (int i = 0; i < documents; i++) {
            var chunks = chunks();
            data.db.useTransaction(tx -> {
                var id = data.writer.create(tx, source(), chunks).orElseThrow();
                embed(tx, id.value(), chunks);
            });
        }
        double rate = documents / ((System.nanoTime() - start) / 1e9);
        data.run("ALTER TABLE knowledge.knowledge_chunks ENABLE TRIGGER chunks_added");
        return rate;
    }

    private void embed(Tx tx, long source, List<NewChunk> chunks) {
        try (var insert =
                tx.connection().prepareStatement("""
                INSERT INTO %s (source_id, chunk_id, owned_by, channel_id, user_id, created_at, source_type, is_public, embedding)
                SELECT source_id, id, owned_by, channel_id, user_id, created_at, source_type, is_public,
                       CAST(CAST(? AS real[]) AS halfvec)
                FROM knowledge.knowledge_chunks WHERE source_id = ? AND position = ?
                """.formatted(data.space().table()))) {
            var connection = tx.connection().unwrap(PGConnection.class);
            for (int i = 0; i < chunks.size(); i++) {
                insert.setArray(
                        1,
                        connection.createArrayOf(
                                "float4",
                                data.corpus.vector(chunks.get(i).content().hashCode())));
                insert.setLong(2, source);
                insert.setInt(3, i);
                insert.addBatch();
            }
            insert.executeBatch();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static NewSource source() {
        return new NewSource(OWNER, true, SourceType.NOTE, "Document", null, null, null, Place.NONE, Map.of());
    }

    private List<NewChunk> chunks() {
        return LongStream.range(0, CHUNKS)
                .mapToObj(i -> NewChunk.of(
                        "Document", data.corpus.text(next.getAndIncrement()), ChunkLocation.of("Part " + i), 60))
                .toList();
    }

    @Override
    public void close() {
        worker.close();
    }
}
