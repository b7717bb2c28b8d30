package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeCollections.Role;
import io.hiroba.knowledge.KnowledgeCollections.Visibility;
import io.hiroba.knowledge.KnowledgeSource.InCollection;
import io.hiroba.knowledge.KnowledgeSource.Progress;
import io.hiroba.knowledge.KnowledgeSource.Status;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads sources with their progress, as far as the caller may read them. */
final class SourceStore {

    private static final String COLUMNS = """
            s.id, s.owned_by, s.is_public, s.type, s.title, s.uri, s.origin, s.chunk_count, s.metadata, s.updated_at,
            p.status, p.waiting, p.dead, p.error_code, p.error_message,
            s.collection_id, l.name AS collection_name, l.visibility AS collection_visibility,
            knowledge.collection_role(s.collection_id, :caller, :records) AS collection_role""";

    /** Whether a source {@code s} is a post of a user whom a block separates from the caller. */
    private static final String HIDDEN = """
            (s.type = 'post' AND EXISTS (
                SELECT FROM social.separated x WHERE x.one = :caller AND x.other = s.owned_by))""";

    /** Whether the caller may read a source {@code s} by its id. */
    static final String READABLE =
            "s.type = 'resource' AND :resources AND EXISTS (SELECT FROM knowledge.resource_sources m"
                    + " JOIN inbox.resource_reader r ON r.resource_id = m.resource_id"
                    + " WHERE m.source_id = s.id AND r.user_id = :caller) OR s.owned_by = :caller OR :admin OR s.is_public AND NOT "
                    + HIDDEN
                    + " OR knowledge.collection_role(s.collection_id, :caller, :records) IS NOT NULL";

    /** Whether the caller may read what is in the collection {@code :collection}; asked once. */
    private static final String READERS = """
            (owned_by = :caller OR :admin OR (SELECT knowledge.collection_role(:collection, :caller, :records)) IS NOT NULL)""";

    /** The progress of a source {@code s} in the active space, and its collection. */
    private static final String PROGRESS = """
            CROSS JOIN LATERAL knowledge.progress(
                s.id, s.chunk_count, (SELECT a.id FROM knowledge.spaces a WHERE a.state = 'active')) AS p
            LEFT JOIN knowledge.collections l ON l.id = s.collection_id""";

    /**
     * The caller's own sources below {@code before} and, unless only those are wanted, public ones of others and those of the caller's
     * collections; or those of one collection.
     */
    List<KnowledgeSource> list(Reads reads, Caller caller, Sources.Filter filter, long before, int limit) {
        return list(reads, listSql(filter), caller, filter, before, limit)
                .map(row -> source(row))
                .list();
    }

    static String listSql(Sources.Filter filter) {
        var type = filter.type() == null ? "" : "AND type = CAST(:type AS knowledge.source_type_enum)";
        var others = filter.mine() || filter.collection() != null ? "" : """
                UNION ALL
                (SELECT id FROM knowledge.knowledge_sources s
                 WHERE is_public AND owned_by <> :caller AND id < :before AND NOT %1$s %2$s
                 ORDER BY id DESC LIMIT :limit)
                UNION ALL
                (SELECT o.id
                 FROM unnest(knowledge.readable_collections(:caller, :records)) AS r (id)
                 CROSS JOIN LATERAL (
                    SELECT id FROM knowledge.knowledge_sources
                    WHERE collection_id = r.id AND owned_by IS DISTINCT FROM :caller AND id < :before %2$s
                    ORDER BY id DESC LIMIT :limit) AS o)""".formatted(HIDDEN, type);
        var first = filter.collection() == null ? "owned_by = :caller" : "collection_id = :collection AND " + READERS;
        if (filter.mine() && filter.collection() != null) {
            first += " AND owned_by = :caller";
        }
        return """
                SELECT %s
                FROM (
                    SELECT f.id
                    FROM (
                        (SELECT id FROM knowledge.knowledge_sources
                         WHERE %s AND id < :before %s
                         ORDER BY id DESC LIMIT :limit)
                        %s
                    ) AS f
                    ORDER BY f.id DESC
                    LIMIT :limit
                ) AS found
                JOIN knowledge.knowledge_sources s ON s.id = found.id
                %s
                ORDER BY s.id DESC
                """.formatted(COLUMNS, first, type, others, PROGRESS);
    }

    static Query list(Reads reads, String sql, Caller caller, Sources.Filter filter, long before, int limit) {
        var query = reads.query(sql);
        if (filter.type() != null) {
            query.bind("type", filter.type().text());
        }
        if (filter.collection() != null) {
            query.bind("collection", filter.collection().value()).bind("admin", caller.admin());
        }
        return query.bind("caller", caller.user().value())
                .bind("records", KnowledgeReader.of(caller).records())
                .bind("before", before)
                .bind("limit", limit);
    }

    Optional<KnowledgeSource> find(Reads reads, Caller caller, SourceId id) {
        return reads.query("""
                SELECT %s
                FROM knowledge.knowledge_sources s
                %s
                WHERE s.id = :id AND (%s)
                """.formatted(COLUMNS, PROGRESS, READABLE))
                .bind("id", id.value())
                .bind("caller", caller.user().value())
                .bind("records", KnowledgeReader.of(caller).records())
                .bind("resources", KnowledgeReader.of(caller).resources())
                .bind("admin", caller.admin())
                .map(row -> source(row))
                .findOne();
    }

    /** Locks a source; false if it does not exist. */
    boolean lock(Tx tx, SourceId id) {
        return tx.query("SELECT id FROM knowledge.knowledge_sources WHERE id = :id FOR UPDATE")
                .bind("id", id.value())
                .mapTo(Long.class)
                .findOne()
                .isPresent();
    }

    /** The chunks after {@code after} of a source that the caller may read. */
    List<SourceChunk> chunks(Reads reads, Caller caller, SourceId source, int after, int limit) {
        return reads.query("""
                SELECT c.id, c.position, c.content, c.location, c.token_count
                FROM knowledge.knowledge_chunks c
                JOIN knowledge.knowledge_sources s ON s.id = c.source_id
                WHERE c.source_id = :source AND c.position > :after
                  AND (%s)
                ORDER BY c.position
                LIMIT :limit
                """.formatted(READABLE))
                .bind("source", source.value())
                .bind("after", after)
                .bind("caller", caller.user().value())
                .bind("records", KnowledgeReader.of(caller).records())
                .bind("resources", KnowledgeReader.of(caller).resources())
                .bind("admin", caller.admin())
                .bind("limit", limit)
                .map(row -> chunk(source, row))
                .list();
    }

    Optional<Integer> position(Reads reads, Caller caller, SourceId source, ChunkId chunk) {
        return reads.query("""
                SELECT c.position
                FROM knowledge.knowledge_chunks c
                JOIN knowledge.knowledge_sources s ON s.id = c.source_id
                WHERE c.source_id = :source AND c.id = :chunk
                  AND (%s)
                """.formatted(READABLE))
                .bind("source", source.value())
                .bind("chunk", chunk.value())
                .bind("caller", caller.user().value())
                .bind("records", KnowledgeReader.of(caller).records())
                .bind("resources", KnowledgeReader.of(caller).resources())
                .bind("admin", caller.admin())
                .mapTo(Integer.class)
                .findOne();
    }

    void delete(Tx tx, SourceId id) {
        tx.update("DELETE FROM knowledge.knowledge_sources WHERE id = :id")
                .bind("id", id.value())
                .execute();
    }

    private static KnowledgeSource source(ResultSet row) throws SQLException {
        var progress = new Progress(
                Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                row.getInt("chunk_count"),
                row.getInt("waiting"),
                row.getInt("dead"),
                row.getString("error_code"),
                row.getString("error_message"));
        return new KnowledgeSource(
                new SourceId(row.getLong("id")),
                new UserId(row.getLong("owned_by")),
                row.getBoolean("is_public") || "public".equals(row.getString("collection_visibility")),
                SourceType.of(row.getString("type")).orElseThrow(),
                row.getString("title"),
                row.getString("uri"),
                row.getString("origin"),
                progress,
                Json.mapper().readTree(row.getString("metadata")),
                Columns.instant(row, "updated_at"),
                collection(row));
    }

    private static @Nullable InCollection collection(ResultSet row) throws SQLException {
        var visibility = row.getString("collection_visibility");
        return visibility == null
                ? null
                : new InCollection(
                        new CollectionId(row.getLong("collection_id")),
                        row.getString("collection_name"),
                        Visibility.parse(visibility),
                        Role.of(row.getString("collection_role")));
    }

    private static SourceChunk chunk(SourceId source, ResultSet row) throws SQLException {
        var id = new ChunkId(row.getLong("id"));
        var location = Json.mapper().readTree(row.getString("location"));
        var url = location.path("url");
        return new SourceChunk(
                id,
                row.getInt("position"),
                row.getString("content"),
                url.isString() ? url.stringValue() : "/knowledge/sources/%s?chunk=%s".formatted(source.hex(), id.hex()),
                location.path("label").asString(""),
                row.getInt("token_count"),
                location);
    }
}
