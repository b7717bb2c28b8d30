package io.hiroba.knowledge;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.export.ExportLineStore;
import io.hiroba.platform.export.ExportLineStore.Lines;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.i18n.Text;
import java.util.List;

/** The statements of knowledge in an export: the person's sources with their text and originals, conversations and rules for posts. */
final class KnowledgeExportStore {

    private static final Lines SOURCES = new Lines("sources.jsonl", "0", """
            SELECT id::text AS key, id, is_public, collection_id, type::text AS type, title, uri, origin, chunk_count, metadata,
                   created_at, updated_at
            FROM knowledge.knowledge_sources
            WHERE owned_by = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines TEXTS = new Lines("source-texts.jsonl", "0|0", """
            SELECT c.source_id || '|' || c.id AS key, c.source_id, c.id, c.position, c.content, c.location
            FROM knowledge.knowledge_sources s
            JOIN knowledge.knowledge_chunks c ON c.source_id = s.id
            WHERE s.owned_by = :user
              AND s.id >= CAST(split_part(:after, '|', 1) AS bigint)
              AND (c.source_id, c.id)
                  > (CAST(split_part(:after, '|', 1) AS bigint), CAST(split_part(:after, '|', 2) AS bigint))
            ORDER BY c.source_id, c.id
            LIMIT :limit
            """);

    private static final Lines CONVERSATIONS = new Lines("conversations.jsonl", "0", """
            SELECT id::text AS key, id, session_key, session_type, is_public, status::text AS status, message_count,
                   created_at, last_active_at
            FROM knowledge.sessions
            WHERE owned_by = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines MESSAGES = new Lines("messages.jsonl", "0|-1", """
            SELECT m.session_id || '|' || m.message_index AS key, m.session_id, m.message_index, m.role, m.author, m.content,
                   m.sent_at
            FROM knowledge.sessions s
            JOIN knowledge.session_messages m ON m.session_id = s.id
            WHERE s.owned_by = :user
              AND s.id >= CAST(split_part(:after, '|', 1) AS bigint)
              AND (m.session_id, m.message_index)
                  > (CAST(split_part(:after, '|', 1) AS bigint), CAST(split_part(:after, '|', 2) AS int))
            ORDER BY m.session_id, m.message_index
            LIMIT :limit
            """);

    private static final Lines CHATS = new Lines("chats.jsonl", "0", """
            SELECT id::text AS key, id, title, is_shared, filters, exchange_count, created_at, last_active_at
            FROM knowledge.conversations
            WHERE owned_by = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines EXCHANGES = new Lines("chat-exchanges.jsonl", "0|-1", """
            SELECT e.conversation_id || '|' || e.exchange_index AS key, e.conversation_id, e.exchange_index, e.question,
                   e.asked_at, e.state, e.is_generated, e.answer, e.why, e.citations
            FROM knowledge.conversations c
            JOIN knowledge.conversation_exchanges e ON e.conversation_id = c.id
            WHERE c.owned_by = :user
              AND c.id >= CAST(split_part(:after, '|', 1) AS bigint)
              AND (e.conversation_id, e.exchange_index)
                  > (CAST(split_part(:after, '|', 1) AS bigint), CAST(split_part(:after, '|', 2) AS int))
            ORDER BY e.conversation_id, e.exchange_index
            LIMIT :limit
            """);

    private static final Lines RULES = new Lines("post-rules.jsonl", "0", """
            SELECT id::text AS key, id, tag, ended, taken, created_at
            FROM knowledge.post_rules
            WHERE owned_by = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines COLLECTIONS = new Lines("collections.jsonl", "0", """
            SELECT id::text AS key, id, name, description, visibility, created_at
            FROM knowledge.collections
            WHERE owned_by = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines MEMBERS = new Lines("collection-members.jsonl", "0|0", """
            SELECT m.collection_id || '|' || m.user_id AS key, m.collection_id, m.user_id, m.role, m.added_at
            FROM knowledge.collections c
            JOIN knowledge.collection_members m ON m.collection_id = c.id
            WHERE c.owned_by = :user
              AND c.id >= CAST(split_part(:after, '|', 1) AS bigint)
              AND (m.collection_id, m.user_id)
                  > (CAST(split_part(:after, '|', 1) AS bigint), CAST(split_part(:after, '|', 2) AS bigint))
            ORDER BY m.collection_id, m.user_id
            LIMIT :limit
            """);

    private static final Lines PROJECTS = new Lines("collection-projects.jsonl", "0|0", """
            SELECT p.collection_id || '|' || p.project_id AS key, p.collection_id, p.project_id, p.role, p.added_at
            FROM knowledge.collections c
            JOIN knowledge.collection_projects p ON p.collection_id = c.id
            WHERE c.owned_by = :user
              AND c.id >= CAST(split_part(:after, '|', 1) AS bigint)
              AND (p.collection_id, p.project_id)
                  > (CAST(split_part(:after, '|', 1) AS bigint), CAST(split_part(:after, '|', 2) AS bigint))
            ORDER BY p.collection_id, p.project_id
            LIMIT :limit
            """);

    private static final Lines WATCHES = new Lines("collection-watches.jsonl", "0", """
            SELECT id::text AS key, id, collection_id, kind, location, files, interval_seconds, created_at
            FROM knowledge.collection_watches
            WHERE owned_by = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines MEMBERSHIPS = new Lines("collection-memberships.jsonl", "0", """
            SELECT collection_id::text AS key, collection_id, role, added_at
            FROM knowledge.collection_members
            WHERE user_id = :user AND collection_id > CAST(:after AS bigint)
            ORDER BY collection_id
            LIMIT :limit
            """);

    private KnowledgeExportStore() {}

    static ExportPart part(Db db, Originals originals) {
        var lines = ExportLineStore.content(
                db,
                List.of(
                        SOURCES,
                        TEXTS,
                        CONVERSATIONS,
                        MESSAGES,
                        CHATS,
                        EXCHANGES,
                        RULES,
                        COLLECTIONS,
                        MEMBERS,
                        PROJECTS,
                        WATCHES,
                        MEMBERSHIPS));
        return new ExportPart("knowledge", Text.of("knowledge.export-part"), (user, folder) -> {
            lines.write(user, folder);
            originals.export(user, folder);
        });
    }
}
