package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;

/** Deletes rows of an account in batches. */
final class KnowledgeCleanupStore {

    /** Deletes up to {@code limit} rows and returns how many. */
    @FunctionalInterface
    interface Deletion {
        int delete(Tx tx, UserId user, int limit);
    }

    void deleteWatches(Tx tx, UserId user) {
        tx.update("DELETE FROM knowledge.collection_watches WHERE owned_by = :user")
                .bind("user", user.value())
                .execute();
    }

    void deleteRules(Tx tx, UserId user) {
        tx.update("DELETE FROM knowledge.post_rules WHERE owned_by = :user")
                .bind("user", user.value())
                .execute();
    }

    /** The sources of others in them are theirs alone from then on. */
    int deleteCollections(Tx tx, UserId user, int limit) {
        return delete(tx, user, limit, """
                DELETE FROM knowledge.collections
                WHERE id IN (SELECT id FROM knowledge.collections WHERE owned_by = :user LIMIT :limit)
                """);
    }

    int deleteMessages(Tx tx, UserId user, int limit) {
        return delete(tx, user, limit, """
                DELETE FROM knowledge.session_messages m
                USING (SELECT o.session_id, o.message_index
                       FROM knowledge.sessions s
                       JOIN knowledge.session_messages o ON o.session_id = s.id
                       WHERE s.owned_by = :user
                       LIMIT :limit) AS chosen
                WHERE m.session_id = chosen.session_id AND m.message_index = chosen.message_index
                """);
    }

    /** Including messages that were appended meanwhile. */
    int deleteSessions(Tx tx, UserId user, int limit) {
        return delete(tx, user, limit, """
                DELETE FROM knowledge.sessions
                WHERE id IN (SELECT id FROM knowledge.sessions WHERE owned_by = :user LIMIT :limit)
                """);
    }

    /** With their exchanges, of which each has a hundred at most. */
    int deleteConversations(Tx tx, UserId user, int limit) {
        return delete(tx, user, limit, """
                DELETE FROM knowledge.conversations
                WHERE id IN (SELECT id FROM knowledge.conversations WHERE owned_by = :user LIMIT :limit)
                """);
    }

    int deleteChunks(Tx tx, UserId user, int limit) {
        return delete(tx, user, limit, """
                DELETE FROM knowledge.knowledge_chunks c
                USING (SELECT o.source_id, o.id
                       FROM knowledge.knowledge_sources s
                       JOIN knowledge.knowledge_chunks o ON o.source_id = s.id
                       WHERE s.owned_by = :user
                       LIMIT :limit) AS chosen
                WHERE c.source_id = chosen.source_id AND c.id = chosen.id
                """);
    }

    int deleteSources(Tx tx, UserId user, int limit) {
        return delete(tx, user, limit, """
                DELETE FROM knowledge.knowledge_sources
                WHERE id IN (SELECT id FROM knowledge.knowledge_sources WHERE owned_by = :user LIMIT :limit)
                """);
    }

    int deleteDeadLetters(Tx tx, UserId user, int limit) {
        return delete(tx, user, limit, """
                DELETE FROM knowledge.knowledge_chunks_dlq
                WHERE id IN (SELECT id FROM knowledge.knowledge_chunks_dlq WHERE owned_by = :user LIMIT :limit)
                """);
    }

    private static int delete(Tx tx, UserId user, int limit, String sql) {
        return tx.update(sql).bind("user", user.value()).bind("limit", limit).execute();
    }
}
