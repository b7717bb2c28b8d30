package io.hiroba.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.testkit.TestKnowledge;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What goes with somebody who leaves. */
class KnowledgeCleanupTest {

    private static final TestKnowledge knowledge = new TestKnowledge();

    @AfterAll
    static void stop() {
        knowledge.close();
    }

    @Test
    void allThatIsTheirsGoesAndNothingElse() {
        var leaver = knowledge.person("Leaver").user();
        var other = knowledge.person("Other").user();
        for (var owner : List.of(leaver, other)) {
            knowledge.note(
                    owner, true, "Many", Collections.nCopies(1200, "text").toArray(String[]::new));
            knowledge.note(owner, false, "One", "text");
            knowledge.db.useTransaction(tx -> {
                tx.update("""
                        INSERT INTO knowledge.sessions (id, owned_by, session_key, session_type, message_count)
                        VALUES (:owner, :owner, 'thread:1', 'thread', 1200)
                        """).bind("owner", owner.value()).execute();
                tx.update("""
                        INSERT INTO knowledge.session_messages (session_id, message_index, role, content, sent_at)
                        SELECT :owner, n, 'user', 'text', now() FROM generate_series(0, 1199) AS n
                        """).bind("owner", owner.value()).execute();
                tx.update("""
                        INSERT INTO knowledge.knowledge_chunks_dlq (
                            id, space_id, original_chunk_id, source_id, source_title, owned_by, content, error_code,
                            error_message)
                        SELECT :owner + 1, id, 1, :owner, 'gone', :owner, 'text', 'SERVER_ERROR', ''
                        FROM knowledge.spaces
                        """).bind("owner", owner.value()).execute();
                tx.update("INSERT INTO knowledge.post_rules (id, owned_by) VALUES (:owner, :owner)")
                        .bind("owner", owner.value())
                        .execute();
            });
        }
        var shared = knowledge.note(other, false, "In the leaver's collection", "text");
        knowledge.db.useTransaction(tx -> {
            tx.update("""
                    INSERT INTO knowledge.collections (id, owned_by, name, visibility, created_at)
                    VALUES (1, :leaver, 'Theirs', 'public', now()), (2, :other, 'Stays', 'shared', now())
                    """)
                    .bind("leaver", leaver.value())
                    .bind("other", other.value())
                    .execute();
            knowledge.writer.setCollection(tx, shared, new CollectionId(1));
        });
        var departure = new KnowledgeCleanup(knowledge.db);
        assertThat(departure.delete(leaver)).isEqualTo(2);
        assertThat(departure.delete(leaver)).isZero();
        for (var table : List.of(
                "sessions",
                "knowledge_sources",
                "knowledge_chunks",
                "knowledge_chunks_dlq",
                "post_rules",
                "collections")) {
            assertThat(count(table, leaver.value())).as(table).isZero();
            assertThat(count(table, other.value())).as(table).isPositive();
        }
        assertThat(knowledge.accounts.count("SELECT count(*) FROM knowledge.session_messages"))
                .isEqualTo(1200);
        assertThat(knowledge.accounts.count("SELECT count(*) FROM knowledge.embedding_queue"))
                .isEqualTo(1202);
        assertThat(knowledge.accounts.count(
                        "SELECT count(*) FROM knowledge.knowledge_sources WHERE collection_id IS NULL AND id = "
                                + shared.value()))
                .isOne();
    }

    private static int count(String table, long owner) {
        return knowledge.accounts.count(
                "SELECT count(*) FROM knowledge.%s WHERE owned_by = %d".formatted(table, owner));
    }
}
