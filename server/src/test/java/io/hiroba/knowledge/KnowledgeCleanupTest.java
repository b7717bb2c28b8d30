package io.hiroba.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.testkit.TestKnowledge;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What goes with somebody who leaves. */
class KnowledgeCleanupTest {

    private static final TestKnowledge knowledge = new TestKnowledge();
    private static final CollectionSuccessions successions = new CollectionSuccessions(knowledge.db);

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
        assertThat(delete(leaver)).isEqualTo(2);
        assertThat(delete(leaver)).isZero();
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

    @Test
    void aCollectionGoesToWhoManagedItLongestWithWhatIsInIt() {
        var leaver = knowledge.person("Founder").user();
        var heir = knowledge.person("Manager").user();
        var other = knowledge.person("Editor").user();
        var same = knowledge.note(heir, false, "Same", "text");
        var sources = IntStream.range(0, 60)
                .mapToObj(n -> knowledge.note(leaver, false, "Founder's " + n, "text"))
                .toList();
        var collection = new CollectionId(11);
        knowledge.db.useTransaction(tx -> {
            tx.update("""
                    INSERT INTO knowledge.collections (id, owned_by, name, visibility, created_at)
                    VALUES (11, :leaver, 'Ours', 'shared', now()), (12, :leaver, 'Read only', 'shared', now()),
                           (13, :heir, 'ours', 'private', now()), (14, :other, 'Another', 'shared', now())
                    """)
                    .bind("leaver", leaver.value())
                    .bind("heir", heir.value())
                    .bind("other", other.value())
                    .execute();
            tx.update("""
                    INSERT INTO knowledge.collection_members (collection_id, user_id, role, added_at)
                    VALUES (11, :other, 'editor', now() - interval '1 day'), (11, :heir, 'manager', now()),
                           (12, :other, 'reader', now()), (14, :leaver, 'manager', now())
                    """)
                    .bind("heir", heir.value())
                    .bind("other", other.value())
                    .bind("leaver", leaver.value())
                    .execute();
            tx.update("""
                    INSERT INTO knowledge.collection_watches (
                        id, collection_id, owned_by, kind, location, interval_seconds, due_at, claim, created_at)
                    VALUES (11, 11, :leaver, 'url', 'https://example.org/', 600, now(), gen_random_uuid(), now())
                    """).bind("leaver", leaver.value()).execute();
            sources.forEach(source -> knowledge.writer.setCollection(tx, source, collection));
            tx.update("UPDATE knowledge.knowledge_sources SET content_hash = '\\x01' WHERE id = ANY (:ids)")
                    .bindArray(
                            "ids", Long.class, same.value(), sources.getFirst().value())
                    .execute();
        });
        assertThat(successions.of(leaver))
                .containsExactly(
                        new CollectionSuccessions.Succession("Ours", "Manager"),
                        new CollectionSuccessions.Succession("Read only", null));
        delete(leaver);
        assertThat(count("collections", leaver.value())).isZero();
        assertThat(knowledge.accounts.count(
                        "SELECT count(*) FROM knowledge.collections WHERE id = 11 AND name = 'Ours (2)' AND owned_by = "
                                + heir.value()))
                .isOne();
        assertThat(knowledge.accounts.count(
                        "SELECT count(*) FROM knowledge.collection_members WHERE user_id IN (%d, %d)"
                                .formatted(leaver.value(), heir.value())))
                .isZero();
        assertThat(knowledge.accounts.count(
                        "SELECT count(*) FROM knowledge.collection_watches WHERE claim IS NULL AND owned_by = "
                                + heir.value()))
                .isOne();
        for (var table : List.of("knowledge_sources", "knowledge_chunks")) {
            assertThat(knowledge.accounts.count(
                            "SELECT count(*) FROM knowledge.%s WHERE collection_id = 11 AND owned_by = %d"
                                    .formatted(table, heir.value())))
                    .as(table)
                    .isEqualTo(60);
        }
    }

    private static int delete(UserId user) {
        return new KnowledgeCleanup(knowledge.db, successions).delete(Caller.server(user), user);
    }

    private static int count(String table, long owner) {
        return knowledge.accounts.count(
                "SELECT count(*) FROM knowledge.%s WHERE owned_by = %d".formatted(table, owner));
    }
}
