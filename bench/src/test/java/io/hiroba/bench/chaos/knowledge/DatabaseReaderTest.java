package io.hiroba.bench.chaos.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.bench.chaos.ChaosDatabase;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Chunk;
import io.hiroba.bench.chaos.knowledge.DatabaseState.DeadLetter;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Part;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Session;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Source;
import io.hiroba.bench.chaos.knowledge.DatabaseState.Span;
import io.hiroba.bench.chaos.knowledge.ExpectedSession.Message;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Compares what is judged with the tables. The rows are written by hand. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DatabaseReaderTest {

    private static final String TEXT = "Ann: Words of somebody";

    @SuppressWarnings("NullAway.Init")
    private ChaosDatabase database;

    @SuppressWarnings("NullAway.Init")
    private Handle handle;

    @BeforeAll
    void fill() {
        database = ChaosDatabase.create();
        handle = database.open();
        int space = handle.createQuery("SELECT knowledge.make_space('openai', 'chaos', :dimensions, 'active')")
                .bind("dimensions", TextVectors.DIMENSIONS)
                .mapTo(Integer.class)
                .one();
        handle.createScript("""
                INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                VALUES (1, '1@square.example', 'Person', 'x', false, '[]');
                INSERT INTO knowledge.knowledge_sources (id, owned_by, is_public, type, title, origin, chunk_count, metadata)
                VALUES (256, 1, true, 'discord_session', 'Words', 'session:0000000000000400:3', 3, '{"message_count": 2}');
                INSERT INTO knowledge.knowledge_chunks (
                    source_id, id, position, content, content_hash, location, token_count, words, owned_by, is_public, source_type)
                SELECT 256, n, n - 1, 'Ann: Words of somebody', '',
                       '{"url": null, "label": "", "message_index": 1, "last_message_index": 4}', 1, '', 1, true, 'discord_session'
                FROM generate_series(1, 3) n;
                DELETE FROM knowledge.embedding_queue WHERE chunk_id < 3;
                INSERT INTO knowledge.knowledge_chunks_dlq (
                    id, space_id, original_chunk_id, source_id, source_title, owned_by, content, error_code, error_message,
                    retry_count)
                SELECT 1, id, 2, 256, 'Words', 1, 'what it said', 'SERVER_ERROR', 'It failed.', 3 FROM knowledge.spaces;
                INSERT INTO knowledge.sessions (
                    id, owned_by, session_key, session_type, status, message_count, last_archived_message_index)
                VALUES (1024, 1, 'thread:1', 'thread', 'archived', 1, 1);
                INSERT INTO knowledge.session_messages (session_id, message_index, role, content, author, sent_at)
                VALUES (1024, 0, 'user', 'Words of somebody', 'Ann', now());
                INSERT INTO platform.event_logs (partition_id, event_id, payload)
                SELECT platform.event_partition(1), n, jsonb_build_object(
                    'type', 'knowledge-dead', 'sourceId', '0000000000000100', 'chunks', n)
                FROM generate_series(1, 2) n;
                """).execute();
        handle.createUpdate("""
                        INSERT INTO knowledge.embeddings_%d (
                            source_id, chunk_id, owned_by, created_at, source_type, is_public, embedding)
                        VALUES (256, 1, 1, now(), 'discord_session', false, CAST(:vector AS halfvec))
                        """.formatted(space))
                .bind("vector", TextVectors.of(TEXT).toString())
                .execute();
    }

    @AfterAll
    void drop() {
        handle.close();
        database.close();
    }

    @Test
    void whatIsWrittenIsRead() {
        var database = DatabaseReader.read(handle);
        assertThat(database.spaces()).isEqualTo(1);
        assertThat(database.sources()).containsOnlyKeys(256L);
        var source = database.sources().values().iterator().next();
        assertThat(source).isEqualTo(new Source(256, true, 3, new Part("0000000000000400", 3, 2), source.chunks()));
        assertThat(source.chunks()).extracting(Chunk::id).containsExactly(1L, 2L, 3L);
        assertThat(source.chunks()).extracting(Chunk::waiting).containsExactly(0, 0, 1);
        assertThat(source.chunks()).extracting(Chunk::messages).containsOnly(new Span(1, 4));
        assertThat(source.chunks()).extracting(Chunk::content).containsOnly(TEXT);
        assertThat(source.chunks().get(1).vectors()).isEmpty();
        assertThat(source.chunks().getFirst().vectors()).singleElement().satisfies(vector -> {
            assertThat(vector.isPublic()).isFalse();
            assertThat(TextVectors.isOf(vector.values(), TEXT)).isTrue();
            assertThat(TextVectors.isOf(vector.values(), TEXT + ".")).isFalse();
        });
        assertThat(database.deadLetters()).containsExactly(new DeadLetter(256, 2, "what it said", "SERVER_ERROR", 3));
        assertThat(database.sessions())
                .containsExactly(new Session(
                        1024,
                        1,
                        "thread:1",
                        false,
                        "archived",
                        1,
                        1,
                        Map.of(0, new Message("user", "Ann", "Words of somebody"))));
        assertThat(database.deadLetterEvents()).isEqualTo(Map.of(256L, 3));
    }

    @Test
    void whatWaitsOrIsActiveIsNotSettled() {
        handle.begin();
        assertThat(DatabaseReader.areSettled(handle)).isFalse();
        handle.execute("DELETE FROM knowledge.embedding_queue");
        assertThat(DatabaseReader.areSettled(handle)).isTrue();
        handle.execute("UPDATE knowledge.sessions SET status = 'active'");
        assertThat(DatabaseReader.areSettled(handle)).isFalse();
        handle.rollback();
    }
}
