package io.hiroba.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.platform.id.Sha256;
import io.hiroba.testkit.TestKnowledge;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SourceWriterTest {

    private final TestKnowledge knowledge = new TestKnowledge();
    private UserId owner = new UserId(0);

    @BeforeAll
    void begin() {
        owner = knowledge.accounts.user("owner");
    }

    @AfterAll
    void end() {
        knowledge.close();
    }

    private record Chunk(
            long id, int position, String content, @Nullable String url, String label) {}

    private List<Chunk> chunks(SourceId source) {
        return knowledge.db.read(reads -> reads.query("""
                SELECT id, position, content, location ->> 'url' AS url, location ->> 'label' AS label
                FROM knowledge.knowledge_chunks WHERE source_id = :source ORDER BY position
                """)
                .bind("source", source.value())
                .map(row -> new Chunk(
                        row.getLong("id"),
                        row.getInt("position"),
                        row.getString("content"),
                        row.getString("url"),
                        row.getString("label")))
                .list());
    }

    private int waiting(SourceId source) {
        return knowledge.db.read(
                reads -> reads.query("SELECT count(*) FROM knowledge.embedding_queue WHERE source_id = :source")
                        .bind("source", source.value())
                        .mapTo(Integer.class)
                        .one());
    }

    private NewSource note(@Nullable String origin, @Nullable String hash) {
        return new NewSource(
                owner, false, SourceType.NOTE, "Notes", "https://example.org/n", origin, hash, Place.NONE, Map.of());
    }

    @Test
    void everyChunkWaitsForItsVectorFromTheFirstMoment() {
        var source = knowledge.note(owner, false, "Cats", "Cats purr.", "Cats sleep.");
        assertThat(chunks(source)).extracting(Chunk::content).containsExactly("Cats purr.", "Cats sleep.");
        assertThat(waiting(source)).isEqualTo(2);
    }

    @Test
    void aPlaceWithoutAnAddressGetsTheSources() {
        var source = knowledge.db.inTransaction(tx -> knowledge
                .writer
                .create(tx, note(null, null), TestKnowledge.chunks("Notes", "Text"))
                .orElseThrow());
        assertThat(chunks(source).getFirst().url()).isEqualTo("https://example.org/n");
        assertThat(chunks(source).getFirst().label()).isEqualTo("Text");
    }

    @Test
    void theSameOriginOrContentIsNotKeptTwice() {
        var hash = Sha256.hex(new byte[] {1, 2, 3});
        var first = knowledge.db.inTransaction(tx -> knowledge
                .writer
                .create(tx, note("url:a", hash), TestKnowledge.chunks("Notes", "One"))
                .orElseThrow());
        knowledge.db.useTransaction(tx -> {
            assertThat(knowledge.writer.create(tx, note("url:a", null), TestKnowledge.chunks("Notes", "Two")))
                    .isEmpty();
            assertThat(knowledge.writer.find(tx, note("url:a", null))).contains(first);
        });
        knowledge.db.useTransaction(tx -> {
            assertThat(knowledge.writer.create(tx, note(null, hash), TestKnowledge.chunks("Notes", "Three")))
                    .isEmpty();
            assertThat(knowledge.writer.find(tx, note(null, hash))).contains(first);
        });
    }

    @Test
    void onlyChangedChunksAreEmbeddedAnew() {
        var source = knowledge.note(owner, false, "Notes", "one", "two", "three", "two");
        var before = chunks(source);
        knowledge.db.useTransaction(tx -> tx.update("DELETE FROM knowledge.embedding_queue WHERE source_id = :source")
                .bind("source", source.value())
                .execute());

        int fresh = knowledge.db.inTransaction(tx -> knowledge.writer.replace(
                tx, source, note(null, null), TestKnowledge.chunks("Notes", "zero", "one", "two", "three")));

        assertThat(fresh).isOne();
        var after = chunks(source);
        assertThat(after).extracting(Chunk::content).containsExactly("zero", "one", "two", "three");
        assertThat(after.subList(1, 4))
                .extracting(Chunk::id)
                .containsExactly(
                        before.get(0).id(), before.get(1).id(), before.get(2).id());
        assertThat(waiting(source)).isOne();
    }

    @Test
    void aRenamedSourceIsEmbeddedAgainAndWhoIsAtItWithTheFormerTitleWritesNothing() {
        var source = knowledge.note(owner, false, "Notes", "one", "two");
        knowledge.db.useTransaction(tx -> {
            tx.update("DELETE FROM knowledge.embedding_queue WHERE chunk_id = :chunk")
                    .bind("chunk", chunks(source).getFirst().id())
                    .execute();
            tx.update("""
                    UPDATE knowledge.embedding_queue SET claim = gen_random_uuid(), retry_count = 2
                    WHERE source_id = :source
                    """).bind("source", source.value()).execute();
        });
        knowledge.db.useTransaction(tx -> knowledge.writer.rename(tx, source, "Notes"));
        assertThat(waiting(source)).isOne();
        knowledge.db.useTransaction(tx -> knowledge.writer.rename(tx, source, "Cats"));
        assertThat(waiting(source)).isEqualTo(2);
        assertThat(knowledge.accounts.count("""
                SELECT count(*) FROM knowledge.embedding_queue WHERE claim IS NOT NULL OR retry_count > 0
                """)).isZero();
    }

    @Test
    void whoMayReadIsWrittenToChunksAndVectorsAlike() {
        var texts = IntStream.range(0, 600).mapToObj(i -> "Text " + i).toArray(String[]::new);
        var source = knowledge.note(owner, false, "Notes", texts);
        var table = knowledge.spaces.active().table();
        knowledge.db.useTransaction(tx -> {
            tx.update("""
                    INSERT INTO %s (source_id, chunk_id, owned_by, created_at, source_type, is_public, embedding)
                    SELECT source_id, id, owned_by, created_at, source_type, is_public,
                           array_fill(1, ARRAY[64])::real[]::halfvec
                    FROM knowledge.knowledge_chunks WHERE source_id = :source
                    """.formatted(table)).bind("source", source.value()).execute();
            knowledge.writer.setPublic(tx, source, true);
        });
        assertThat(knowledge.db.<Boolean>read(reads -> reads.query("""
                SELECT bool_and(c.is_public) AND bool_and(e.is_public) AND count(*) = 600
                FROM knowledge.knowledge_chunks c JOIN %s e ON e.source_id = c.source_id AND e.chunk_id = c.id
                WHERE c.source_id = :source
                """.formatted(table))
                        .bind("source", source.value())
                        .mapTo(Boolean.class)
                        .one()))
                .isTrue();
    }
}
