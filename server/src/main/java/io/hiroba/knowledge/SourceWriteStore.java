package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.platform.db.SqlStatement;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.db.Update;
import io.hiroba.platform.http.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes sources and chunks. */
final class SourceWriteStore {

    boolean insert(Tx tx, SourceId id, NewSource source, int chunks, Instant now) {
        return bound(tx.update("""
                INSERT INTO knowledge.knowledge_sources (
                    id, owned_by, is_public, type, title, uri, origin, content_hash, chunk_count, channel_id, user_id,
                    metadata, created_at, updated_at, collection_id)
                VALUES (:id, nullif(:owner, 0), :public, CAST(:type AS knowledge.source_type_enum), :title, :uri, :origin, decode(:hash, 'hex'),
                        :chunks, :channel, :user, CAST(:metadata AS jsonb), :now, :now, :collection)
                ON CONFLICT DO NOTHING
                """), source)
                        .bind("id", id.value())
                        .bind("chunks", chunks)
                        .bind("now", now)
                        .bind("collection", value(source.collection()))
                        .execute()
                == 1;
    }

    void update(Tx tx, SourceId id, NewSource source, int chunks, Instant now) {
        bound(tx.update("""
                UPDATE knowledge.knowledge_sources
                SET title = :title, uri = :uri, content_hash = decode(:hash, 'hex'), chunk_count = :chunks,
                    metadata = CAST(:metadata AS jsonb), updated_at = :now
                WHERE id = :id
                """), source)
                .bind("id", id.value())
                .bind("chunks", chunks)
                .bind("now", now)
                .execute();
    }

    private static <S extends SqlStatement<S>> S bound(S statement, NewSource source) {
        return statement
                .bind("owner", source.owner().value())
                .bind("public", source.isPublic())
                .bind("type", source.type().text())
                .bind("title", source.title())
                .bind("uri", source.uri())
                .bind("origin", source.origin())
                .bind("hash", source.contentHash())
                .bind("channel", source.place().channel())
                .bind("user", source.place().user())
                .bind("metadata", json(source.metadata()));
    }

    Optional<SourceId> find(Tx tx, NewSource source) {
        return tx.query("""
                SELECT id FROM knowledge.knowledge_sources
                WHERE owned_by = :owner AND (origin = :origin OR content_hash = decode(:hash, 'hex'))
                ORDER BY origin = :origin DESC NULLS LAST
                LIMIT 1
                """)
                .bind("owner", source.owner().value())
                .bind("origin", source.origin())
                .bind("hash", source.contentHash())
                .map(row -> new SourceId(row.getLong("id")))
                .findOne();
    }

    /** Inserts chunks of a source, with its filter columns. */
    void insert(Tx tx, SourceId source, List<ChunkRow> chunks, Instant now) {
        bound(tx.update("""
                INSERT INTO knowledge.knowledge_chunks (
                    source_id, id, position, content, content_hash, location, token_count, words, owned_by, is_public,
                    source_type, channel_id, user_id, created_at, collection_id)
                SELECT s.id, n.id, n.position, n.content, decode(n.hash, 'hex'),
                       CAST(n.location AS jsonb) || jsonb_build_object(
                           'url', coalesce(CAST(n.location AS jsonb) ->> 'url', s.uri)),
                       n.tokens, CAST(n.words AS tsvector), coalesce(s.owned_by, 0), s.is_public, s.type, s.channel_id, s.user_id, :now,
                       s.collection_id
                FROM knowledge.knowledge_sources s
                CROSS JOIN unnest(:ids, :positions, :contents, :hashes, :locations, :tokens, :words)
                    AS n (id, position, content, hash, location, tokens, words)
                WHERE s.id = :source
                """), source, chunks)
                .bindArray(
                        "contents",
                        String.class,
                        values(chunks, chunk -> chunk.chunk().content()))
                .bindArray(
                        "hashes",
                        String.class,
                        values(chunks, chunk -> chunk.chunk().hash()))
                .bind("now", now)
                .execute();
    }

    /** Updates the positions of unchanged chunks. */
    void move(Tx tx, SourceId source, List<ChunkRow> chunks) {
        bound(tx.update("""
                UPDATE knowledge.knowledge_chunks c
                SET position = n.position, token_count = n.tokens, words = CAST(n.words AS tsvector),
                    location = CAST(n.location AS jsonb) || jsonb_build_object(
                        'url', coalesce(CAST(n.location AS jsonb) ->> 'url', s.uri))
                FROM knowledge.knowledge_sources s
                CROSS JOIN unnest(:ids, :positions, :locations, :tokens, :words)
                    AS n (id, position, location, tokens, words)
                WHERE s.id = :source AND c.source_id = s.id AND c.id = n.id
                  AND (c.position, c.words, c.location) IS DISTINCT FROM
                      (n.position, CAST(n.words AS tsvector), CAST(n.location AS jsonb) || jsonb_build_object(
                          'url', coalesce(CAST(n.location AS jsonb) ->> 'url', s.uri)))
                """), source, chunks).execute();
    }

    private static Update bound(Update update, SourceId source, List<ChunkRow> chunks) {
        return update.bind("source", source.value())
                .bindArray("ids", Long.class, values(chunks, chunk -> chunk.id().value()))
                .bindArray("positions", Integer.class, values(chunks, ChunkRow::position))
                .bindArray(
                        "locations",
                        String.class,
                        values(chunks, chunk -> location(chunk.chunk().location())))
                .bindArray(
                        "tokens",
                        Integer.class,
                        values(chunks, chunk -> chunk.chunk().tokens()))
                .bindArray(
                        "words",
                        String.class,
                        values(chunks, chunk -> chunk.chunk().terms()));
    }

    /** The chunks of a source by content hash in hex; equal ones in order of position. */
    Map<String, List<ChunkId>> chunks(Tx tx, SourceId source) {
        var chunks = new HashMap<String, List<ChunkId>>();
        tx.query("""
                SELECT id, encode(content_hash, 'hex') AS hash
                FROM knowledge.knowledge_chunks
                WHERE source_id = :source
                ORDER BY position
                """)
                .bind("source", source.value())
                .map(row -> {
                    chunks.computeIfAbsent(row.getString("hash"), hash -> new ArrayList<>())
                            .add(new ChunkId(row.getLong("id")));
                    return source;
                })
                .list();
        return chunks;
    }

    /** The chunks after the position {@code after}, without their search terms. */
    List<ChunkRow> texts(Tx tx, SourceId source, int after, int limit) {
        return tx.query("""
                SELECT id, position, content, location, token_count
                FROM knowledge.knowledge_chunks
                WHERE source_id = :source AND position > :after
                ORDER BY position
                LIMIT :limit
                """)
                .bind("source", source.value())
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> new ChunkRow(
                        new ChunkId(row.getLong("id")),
                        row.getInt("position"),
                        new NewChunk(
                                row.getString("content"),
                                location(row.getString("location")),
                                row.getInt("token_count"),
                                "")))
                .list();
    }

    void rename(Tx tx, SourceId id, String title, Instant now) {
        tx.update("UPDATE knowledge.knowledge_sources SET title = :title, updated_at = :now WHERE id = :id")
                .bind("id", id.value())
                .bind("title", title)
                .bind("now", now)
                .execute();
    }

    String title(Tx tx, SourceId id) {
        return tx.query("SELECT title FROM knowledge.knowledge_sources WHERE id = :id")
                .bind("id", id.value())
                .mapTo(String.class)
                .one();
    }

    /** Has the chunks embedded again; whoever is at it with the former title writes nothing. Dead letters stay as they are. */
    void embedAgain(Tx tx, SourceId source) {
        tx.update("""
                INSERT INTO knowledge.embedding_queue (space_id, source_id, chunk_id, owned_by)
                SELECT s.id, c.source_id, c.id, c.owned_by
                FROM knowledge.spaces s
                CROSS JOIN knowledge.knowledge_chunks c
                WHERE s.state <> 'retired' AND c.source_id = :source
                  AND NOT EXISTS (SELECT FROM knowledge.knowledge_chunks_dlq d
                                  WHERE d.source_id = c.source_id AND d.space_id = s.id AND d.original_chunk_id = c.id)
                ORDER BY s.id, c.id
                ON CONFLICT (space_id, source_id, chunk_id)
                    DO UPDATE SET due_at = CURRENT_TIMESTAMP, claim = NULL, retry_count = 0
                """).bind("source", source.value()).execute();
    }

    void delete(Tx tx, SourceId source, List<ChunkId> chunks) {
        tx.update("DELETE FROM knowledge.knowledge_chunks WHERE source_id = :source AND id = ANY (:ids)")
                .bind("source", source.value())
                .bindArray(
                        "ids", Long.class, chunks.stream().map(ChunkId::value).toArray())
                .execute();
    }

    /** Updates the source only: chunks and vectors repeat the column and must be updated too. */
    void setPublic(Tx tx, SourceId source, boolean isPublic, Instant now) {
        tx.update("UPDATE knowledge.knowledge_sources SET is_public = :public, updated_at = :now WHERE id = :source")
                .bind("source", source.value())
                .bind("public", isPublic)
                .bind("now", now)
                .execute();
    }

    List<ChunkId> chunkIds(Tx tx, SourceId source) {
        return tx.query("SELECT id FROM knowledge.knowledge_chunks WHERE source_id = :source ORDER BY id")
                .bind("source", source.value())
                .map(row -> new ChunkId(row.getLong("id")))
                .list();
    }

    void setChunksPublic(Tx tx, SourceId source, List<ChunkId> chunks, boolean isPublic) {
        shown(tx.update("""
                UPDATE knowledge.knowledge_chunks SET is_public = :public
                WHERE source_id = :source AND id = ANY (:ids) AND is_public <> :public
                """), source, chunks, isPublic).execute();
    }

    /** The spaces, locked against retirement until the transaction ends. */
    List<Integer> spaces(Tx tx) {
        return tx.query("SELECT id FROM knowledge.spaces WHERE state <> 'retired' ORDER BY id FOR SHARE")
                .mapTo(Integer.class)
                .list();
    }

    void setVectorsPublic(Tx tx, int space, SourceId source, List<ChunkId> chunks, boolean isPublic) {
        shown(tx.update("""
                UPDATE knowledge.embeddings_%d SET is_public = :public
                WHERE source_id = :source AND chunk_id = ANY (:ids) AND is_public <> :public
                """.formatted(space)), source, chunks, isPublic).execute();
    }

    /** Updates the source only, as {@link #setPublic} does. In a collection, the collection decides who may read it. */
    void setCollection(Tx tx, SourceId source, @Nullable CollectionId collection, Instant now) {
        tx.update("""
                UPDATE knowledge.knowledge_sources SET collection_id = :collection, is_public = false, updated_at = :now
                WHERE id = :source
                """)
                .bind("source", source.value())
                .bind("collection", value(collection))
                .bind("now", now)
                .execute();
    }

    void setChunksCollection(Tx tx, SourceId source, List<ChunkId> chunks, @Nullable CollectionId collection) {
        shown(tx.update("""
                UPDATE knowledge.knowledge_chunks SET collection_id = :collection, is_public = :public
                WHERE source_id = :source AND id = ANY (:ids)
                  AND (collection_id, is_public) IS DISTINCT FROM (CAST(:collection AS bigint), :public)
                """), source, chunks, false)
                .bind("collection", value(collection))
                .execute();
    }

    void setVectorsCollection(
            Tx tx, int space, SourceId source, List<ChunkId> chunks, @Nullable CollectionId collection) {
        shown(tx.update("""
                UPDATE knowledge.embeddings_%d SET collection_id = :collection, is_public = :public
                WHERE source_id = :source AND chunk_id = ANY (:ids)
                  AND (collection_id, is_public) IS DISTINCT FROM (CAST(:collection AS bigint), :public)
                """.formatted(space)), source, chunks, false)
                .bind("collection", value(collection))
                .execute();
    }

    private static @Nullable Long value(@Nullable CollectionId collection) {
        return collection == null ? null : collection.value();
    }

    private static Update shown(Update update, SourceId source, List<ChunkId> chunks, boolean isPublic) {
        return update.bind("source", source.value())
                .bind("public", isPublic)
                .bindArray(
                        "ids", Long.class, chunks.stream().map(ChunkId::value).toArray());
    }

    /** URLs of other sites are kept. */
    void unlink(Tx tx, SourceId source, Instant now) {
        tx.update("""
                UPDATE knowledge.knowledge_chunks SET location = location || '{"url": null}'
                WHERE source_id = :source AND starts_with(location ->> 'url', '/')
                """).bind("source", source.value()).execute();
        tx.update("""
                UPDATE knowledge.knowledge_sources SET uri = NULL, updated_at = :now
                WHERE id = :source AND starts_with(uri, '/')
                """).bind("source", source.value()).bind("now", now).execute();
    }

    boolean delete(Tx tx, UserId owner, String origin) {
        return tx.update("DELETE FROM knowledge.knowledge_sources WHERE owned_by = :owner AND origin = :origin")
                        .bind("owner", owner.value())
                        .bind("origin", origin)
                        .execute()
                > 0;
    }

    private static Object[] values(List<ChunkRow> chunks, Function<ChunkRow, Object> value) {
        return chunks.stream().map(value).toArray();
    }

    private static String location(ChunkLocation location) {
        var all = new LinkedHashMap<String, @Nullable Object>(location.details());
        all.put("url", location.url());
        all.put("label", location.label());
        return json(all);
    }

    private static ChunkLocation location(String stored) {
        var all = Json.mapper().readTree(stored);
        var details = new HashMap<String, Object>();
        all.properties().forEach(detail -> {
            if (!detail.getKey().equals("url") && !detail.getKey().equals("label")) {
                details.put(detail.getKey(), detail.getValue());
            }
        });
        var url = all.path("url").isString() ? all.path("url").stringValue() : null;
        return new ChunkLocation(url, all.path("label").asString(""), details);
    }

    private static String json(Map<String, ? extends @Nullable Object> values) {
        return Json.mapper().writeValueAsString(values);
    }

    /** A chunk with its id and its position in the source. */
    record ChunkRow(ChunkId id, int position, NewChunk chunk) {

        /** The same chunk with the search terms of another title. */
        ChunkRow retitled(String title) {
            return new ChunkRow(id, position, NewChunk.of(title, chunk.content(), chunk.location(), chunk.tokens()));
        }
    }
}
