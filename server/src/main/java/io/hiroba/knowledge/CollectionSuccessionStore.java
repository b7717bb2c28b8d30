package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeCollections.Role;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.db.Update;
import java.util.List;
import java.util.Optional;

/** Reads who takes over collections, and moves collections, sources and watches to another owner. */
final class CollectionSuccessionStore {

    /**
     * Of the other people who manage the collection {@code c}, by themselves or by a project, the one who has done so longest; without
     * one, of those who edit it.
     */
    private static final String SUCCESSOR = """
            SELECT r.user_id, u.nickname, r.role
            FROM (SELECT m.user_id, m.role, m.added_at, false AS by_project
                  FROM knowledge.collection_members AS m
                  WHERE m.collection_id = c.id
                  UNION ALL
                  SELECT g.user_id, p.role, p.added_at, true
                  FROM knowledge.collection_projects AS p
                  JOIN records.project_member AS g ON g.project_id = p.project_id
                  WHERE p.collection_id = c.id) AS r
            JOIN accounts.user_card AS u ON u.id = r.user_id
            WHERE r.user_id <> c.owned_by AND u.kind = 'person' AND r.role IN ('manager', 'editor')
            ORDER BY r.role = 'manager' DESC, r.by_project, r.added_at, r.user_id
            LIMIT 1
            """;

    /** A collection with the person who takes it over. */
    record Heir(CollectionId collection, String name, UserId user, Role role) {}

    /** What becomes of the collections of the user, by their names. */
    List<CollectionSuccessions.Succession> successions(Reads reads, UserId user) {
        return reads.query("""
                SELECT c.name, s.nickname
                FROM knowledge.collections AS c
                LEFT JOIN LATERAL (%s) AS s ON true
                WHERE c.owned_by = :user
                ORDER BY lower(c.name), c.id
                """.formatted(SUCCESSOR))
                .bind("user", user.value())
                .map(row -> new CollectionSuccessions.Succession(row.getString("name"), row.getString("nickname")))
                .list();
    }

    /** A collection of the user that somebody takes over. */
    Optional<Heir> next(Reads reads, UserId user) {
        return reads.query("""
                SELECT c.id, c.name, s.user_id, s.role
                FROM knowledge.collections AS c
                CROSS JOIN LATERAL (%s) AS s
                WHERE c.owned_by = :user
                ORDER BY c.id
                LIMIT 1
                """.formatted(SUCCESSOR))
                .bind("user", user.value())
                .map(row -> new Heir(
                        new CollectionId(row.getLong("id")),
                        row.getString("name"),
                        new UserId(row.getLong("user_id")),
                        Role.parse(row.getString("role"))))
                .findOne();
    }

    boolean hasNamed(Reads reads, UserId owner, String name) {
        return reads.query("""
                SELECT EXISTS (SELECT FROM knowledge.collections WHERE owned_by = :owner AND lower(name) = lower(:name))
                """)
                .bind("owner", owner.value())
                .bind("name", name)
                .mapTo(Boolean.class)
                .one();
    }

    /** Makes the heir the owner, under a name that no other collection of theirs has. The owner is no member. */
    void handOver(Tx tx, Heir heir, String name) {
        tx.update("DELETE FROM knowledge.collection_members WHERE collection_id = :id AND user_id = :heir")
                .bind("id", heir.collection().value())
                .bind("heir", heir.user().value())
                .execute();
        tx.update("UPDATE knowledge.collections SET owned_by = :heir, name = :name WHERE id = :id")
                .bind("id", heir.collection().value())
                .bind("heir", heir.user().value())
                .bind("name", name)
                .execute();
    }

    /** Removes the user from the collections of others. */
    void removeEverywhere(Tx tx, UserId user) {
        tx.update("DELETE FROM knowledge.collection_members WHERE user_id = :user")
                .bind("user", user.value())
                .execute();
    }

    /** Gives the heir the user's watches of the collection; a look that is under way is begun again for them. */
    void moveWatches(Tx tx, Heir heir, UserId user) {
        tx.update("""
                UPDATE knowledge.collection_watches SET owned_by = :heir, claim = NULL, due_at = CURRENT_TIMESTAMP
                WHERE owned_by = :user AND collection_id = :id
                """)
                .bind("id", heir.collection().value())
                .bind("heir", heir.user().value())
                .bind("user", user.value())
                .execute();
    }

    /** Locks sources of the user in the collection. */
    List<SourceId> lockSources(Tx tx, Heir heir, UserId user, int limit) {
        return tx.query("""
                SELECT id FROM knowledge.knowledge_sources
                WHERE collection_id = :id AND owned_by = :user
                ORDER BY id DESC
                LIMIT :limit
                FOR UPDATE
                """)
                .bind("id", heir.collection().value())
                .bind("user", user.value())
                .bind("limit", limit)
                .map(row -> new SourceId(row.getLong("id")))
                .list();
    }

    /**
     * Moves the source and its dead letters. Of a content or origin that the new owner has already, the source no longer tells: each is
     * stored once per owner.
     */
    void moveSource(Tx tx, SourceId source, UserId owner) {
        tx.update("""
                UPDATE knowledge.knowledge_sources AS s
                SET owned_by = :owner, updated_at = CURRENT_TIMESTAMP,
                    origin = CASE WHEN EXISTS (SELECT FROM knowledge.knowledge_sources AS o
                                               WHERE o.owned_by = :owner AND o.origin = s.origin) THEN NULL ELSE s.origin END,
                    content_hash = CASE WHEN EXISTS (SELECT FROM knowledge.knowledge_sources AS o
                                                     WHERE o.owned_by = :owner AND o.content_hash = s.content_hash)
                                        THEN NULL ELSE s.content_hash END
                WHERE s.id = :source
                """)
                .bind("source", source.value())
                .bind("owner", owner.value())
                .execute();
        tx.update("UPDATE knowledge.knowledge_chunks_dlq SET owned_by = :owner WHERE source_id = :source")
                .bind("source", source.value())
                .bind("owner", owner.value())
                .execute();
    }

    void moveChunks(Tx tx, SourceId source, List<ChunkId> chunks, UserId owner) {
        move(tx.update("""
                UPDATE knowledge.knowledge_chunks SET owned_by = :owner WHERE source_id = :source AND id = ANY (:ids)
                """), source, chunks, owner);
    }

    void moveVectors(Tx tx, int space, SourceId source, List<ChunkId> chunks, UserId owner) {
        move(tx.update("""
                UPDATE knowledge.embeddings_%d SET owned_by = :owner WHERE source_id = :source AND chunk_id = ANY (:ids)
                """.formatted(space)), source, chunks, owner);
    }

    private static void move(Update update, SourceId source, List<ChunkId> chunks, UserId owner) {
        update.bind("source", source.value())
                .bind("owner", owner.value())
                .bindArray(
                        "ids", Long.class, chunks.stream().map(ChunkId::value).toArray())
                .execute();
    }
}
