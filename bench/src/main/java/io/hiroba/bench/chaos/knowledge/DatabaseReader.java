package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.DatabaseState.Chunk;
import io.hiroba.bench.chaos.knowledge.DatabaseState.DeadLetter;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Part;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Session;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Source;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Span;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Vector;
import io.hiroba.bench.chaos.knowledge.ExpectedSession.Message;
import io.hiroba.platform.id.Ids;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/** Reads the tables with none of the code under test. */
final class DatabaseReader {

    private final Handle handle;
    private final Map<Key, List<Vector>> vectors = new HashMap<>();
    private final Map<Key, Integer> waiting = new HashMap<>();

    private DatabaseReader(Handle handle) {
        this.handle = handle;
    }

    /** The key of a chunk. */
    private record Key(long source, long chunk) {}

    static DatabaseState read(Handle handle) {
        return handle.inTransaction(TransactionIsolationLevel.REPEATABLE_READ, tx -> new DatabaseReader(tx).state());
    }

    /** Whether the embedding queue is empty and no session is active. */
    static boolean areSettled(Handle handle) {
        return handle.createQuery("""
                        SELECT NOT EXISTS (SELECT FROM knowledge.embedding_queue)
                           AND NOT EXISTS (SELECT FROM knowledge.sessions WHERE status = 'active')
                        """).mapTo(Boolean.class).one();
    }

    private DatabaseState state() {
        var spaces = handle.createQuery("SELECT id FROM knowledge.spaces WHERE state <> 'retired' ORDER BY id")
                .mapTo(Integer.class)
                .list();
        spaces.forEach(this::readVectors);
        readWaiting();
        return new DatabaseState(
                spaces.size(), sources(chunks()), deadLetters(), sessions(messages()), deadLetterEvents());
    }

    private void readVectors(int space) {
        handle.createQuery("""
                        SELECT source_id, chunk_id, is_public, embedding::real[] AS embedding
                        FROM knowledge.embeddings_%d
                        """.formatted(space))
                .map((row, ctx) -> vectors.computeIfAbsent(
                                new Key(row.getLong("source_id"), row.getLong("chunk_id")), key -> new ArrayList<>())
                        .add(new Vector(row.getBoolean("is_public"), floats(row))))
                .list();
    }

    private static List<Float> floats(ResultSet row) throws SQLException {
        return Stream.of((Float[]) row.getArray("embedding").getArray()).toList();
    }

    private void readWaiting() {
        handle.createQuery("SELECT source_id, chunk_id FROM knowledge.embedding_queue")
                .map((row, ctx) ->
                        waiting.merge(new Key(row.getLong("source_id"), row.getLong("chunk_id")), 1, Integer::sum))
                .list();
    }

    private Map<Long, List<Chunk>> chunks() {
        var chunks = new HashMap<Long, List<Chunk>>();
        handle.createQuery("""
                        SELECT source_id, id, position, content, is_public, (location ->> 'message_index')::int AS first,
                               (location ->> 'last_message_index')::int AS last
                        FROM knowledge.knowledge_chunks
                        ORDER BY source_id, position, id
                        """)
                .map((row, ctx) -> chunks.computeIfAbsent(row.getLong("source_id"), source -> new ArrayList<>())
                        .add(chunk(row)))
                .list();
        return chunks;
    }

    private Chunk chunk(ResultSet row) throws SQLException {
        var key = new Key(row.getLong("source_id"), row.getLong("id"));
        return new Chunk(
                key.chunk(),
                row.getInt("position"),
                row.getString("content"),
                row.getBoolean("is_public"),
                span(row),
                waiting.getOrDefault(key, 0),
                vectors.getOrDefault(key, List.of()));
    }

    private static @Nullable Span span(ResultSet row) throws SQLException {
        int first = row.getInt("first");
        return row.wasNull() ? null : new Span(first, row.getInt("last"));
    }

    private Map<Long, Source> sources(Map<Long, List<Chunk>> chunks) {
        var sources = new TreeMap<Long, Source>();
        handle.createQuery("""
                        SELECT id, is_public, chunk_count, origin, (metadata ->> 'message_count')::int AS messages
                        FROM knowledge.knowledge_sources
                        """)
                .map((row, ctx) -> new Source(
                        row.getLong("id"),
                        row.getBoolean("is_public"),
                        row.getInt("chunk_count"),
                        part(row.getString("origin"), row.getInt("messages")),
                        chunks.getOrDefault(row.getLong("id"), List.of())))
                .forEach(source -> sources.put(source.id(), source));
        return sources;
    }

    /** @param origin {@code session:{id}:{first message}}, if it is of a session */
    private static @Nullable Part part(@Nullable String origin, int messages) {
        if (origin == null || !origin.startsWith("session:")) {
            return null;
        }
        var parts = origin.split(":", -1);
        return new Part(parts[1], Integer.parseInt(parts[2]), messages);
    }

    private List<DeadLetter> deadLetters() {
        return handle.createQuery("""
                        SELECT source_id, original_chunk_id, content, error_code, retry_count
                        FROM knowledge.knowledge_chunks_dlq
                        ORDER BY id
                        """)
                .map((row, ctx) -> new DeadLetter(
                        row.getLong("source_id"),
                        row.getLong("original_chunk_id"),
                        row.getString("content"),
                        row.getString("error_code"),
                        row.getInt("retry_count")))
                .list();
    }

    private Map<Long, Map<Integer, Message>> messages() {
        var messages = new HashMap<Long, Map<Integer, Message>>();
        handle.createQuery("SELECT session_id, message_index, role, author, content FROM knowledge.session_messages")
                .map((row, ctx) -> messages.computeIfAbsent(row.getLong("session_id"), session -> new TreeMap<>())
                                .put(
                                        row.getInt("message_index"),
                                        new Message(
                                                row.getString("role"),
                                                row.getString("author"),
                                                row.getString("content")))
                        == null)
                .list();
        return messages;
    }

    private List<Session> sessions(Map<Long, Map<Integer, Message>> messages) {
        return handle.createQuery("""
                        SELECT id, owned_by, session_key, is_public, status, message_count, last_archived_message_index
                        FROM knowledge.sessions
                        ORDER BY id
                        """)
                .map((row, ctx) -> new Session(
                        row.getLong("id"),
                        row.getLong("owned_by"),
                        row.getString("session_key"),
                        row.getBoolean("is_public"),
                        row.getString("status"),
                        row.getInt("message_count"),
                        row.getInt("last_archived_message_index"),
                        messages.getOrDefault(row.getLong("id"), Map.of())))
                .list();
    }

    private Map<Long, Integer> deadLetterEvents() {
        var deadLetterEvents = new HashMap<Long, Integer>();
        handle.createQuery("""
                        SELECT payload ->> 'sourceId' AS source, (payload ->> 'chunks')::int AS chunks
                        FROM platform.event_logs
                        WHERE payload ->> 'type' = 'knowledge-dead'
                        """)
                .map((row, ctx) ->
                        deadLetterEvents.merge(Ids.parse(row.getString("source")), row.getInt("chunks"), Integer::sum))
                .list();
        return deadLetterEvents;
    }
}
