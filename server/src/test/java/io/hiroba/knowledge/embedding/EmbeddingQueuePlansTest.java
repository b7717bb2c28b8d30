package io.hiroba.knowledge.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.db.Argument;
import io.hiroba.testkit.FakeProvider;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestKnowledge;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks are claimed and written by their indexes, however many wait. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class EmbeddingQueuePlansTest {

    private static final int WAITING = 30_000;
    private static final int DUE = 1_000;
    private static final int BATCH = 100;

    private final TestKnowledge knowledge = new TestKnowledge();
    private final EmbeddingSpace space = knowledge.spaces.active();
    private long source;

    @BeforeAll
    void fill() throws SQLException {
        source = knowledge
                .note(knowledge.accounts.user("owner"), false, "Large", "One")
                .value();
        knowledge.db.useTransaction(tx -> {
            tx.update("""
                    INSERT INTO knowledge.knowledge_chunks
                        (source_id, id, position, content, content_hash, location, token_count, words, owned_by, is_public,
                         source_type)
                    SELECT c.source_id, n, n, 'Text ' || n, c.content_hash, c.location, 2, c.words, c.owned_by, false, c.source_type
                    FROM knowledge.knowledge_chunks c, generate_series(1, :waiting) AS n
                    WHERE c.source_id = :source
                    """).bind("waiting", WAITING).bind("source", source).execute();
            tx.update("UPDATE knowledge.embedding_queue SET due_at = due_at + interval '1 hour' WHERE chunk_id > :due")
                    .bind("due", DUE)
                    .execute();
        });
        try (var connection = knowledge.db.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("VACUUM (ANALYZE) knowledge.knowledge_chunks, knowledge.embedding_queue");
        }
    }

    @AfterAll
    void end() {
        knowledge.close();
    }

    private Plan claim(String statement, boolean generic, UUID claim) {
        return Plan.of(
                knowledge.db,
                generic,
                reads -> reads.query(Plan.LEAD + statement)
                        .bind("space", space.id())
                        .bind("claim", claim)
                        .bind("batch", BATCH)
                        .bind("maxRetry", 3)
                        .bind("tokens", EmbeddingQueueStore.MAX_TOKENS)
                        .bind("lease", Duration.ofMinutes(1).toMillis()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClaimPassesWhatIsDueAndNoMore(boolean generic) {
        for (var statement : List.of(EmbeddingQueueStore.CLAIM_IN_TURN, EmbeddingQueueStore.CLAIM_OLDEST)) {
            var plan = claim(statement, generic, UUID.randomUUID());
            assertThat(plan.entriesPassed()).as(plan.toString()).isLessThan(6 * BATCH);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void vectorsAreWrittenByKeys(boolean generic) {
        var claim = UUID.randomUUID();
        claim(EmbeddingQueueStore.CLAIM_IN_TURN, generic, claim);
        var sources = LongStream.generate(() -> source).limit(BATCH).boxed().toArray();
        var chunks = knowledge.db.read(
                reads -> reads.query("SELECT chunk_id FROM knowledge.embedding_queue WHERE claim = :claim")
                        .bind("claim", claim)
                        .mapTo(Long.class)
                        .list());
        assertThat(chunks).hasSize(BATCH);
        var vectors = new float[BATCH * FakeProvider.DIMENSIONS];
        Arrays.fill(vectors, 1);
        var plan = Plan.of(
                knowledge.db,
                generic,
                reads -> reads.query(Plan.LEAD + EmbeddingQueueStore.WRITE.formatted(space.table()))
                        .bind("space", space.id())
                        .bind("claim", claim)
                        .bindArray("sources", Long.class, sources)
                        .bindArray("chunks", Long.class, chunks.toArray())
                        .bind("dimensions", FakeProvider.DIMENSIONS)
                        .bind("vectors", (Argument) (statement, position) -> statement.setObject(position, vectors)));
        assertThat(plan.entriesPassed()).as(plan.toString()).isLessThan(6 * BATCH);
        assertThat(knowledge.accounts.count("SELECT count(*) FROM " + space.table()))
                .isGreaterThanOrEqualTo(BATCH);
    }
}
