package io.hiroba.knowledge.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.embedding.FakeEmbeddingService.Answer;
import io.hiroba.knowledge.embedding.FakeEmbeddingService.Asked;
import io.hiroba.testkit.ChildJvm;
import io.hiroba.testkit.FakeProvider;
import io.hiroba.testkit.TestKnowledge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two nodes that are killed and frozen, and a provider that fails, hangs, limits, lies, answers late and goes away: in the
 * end every chunk has its vector, or is dead after exactly its retries.
 */
@Tag("slow")
class EmbeddingChaosTest {

    /** Set {@code -Dhiroba.chaos.seed=…} to make the choices of an earlier run again. */
    private static final long SEED = Long.getLong("hiroba.chaos.seed", new Random().nextLong());

    private static final Duration STORM = Duration.ofSeconds(5);
    private static final int MAX_RETRY = 3;

    private final Random random = new Random(SEED);
    private final TestKnowledge knowledge = new TestKnowledge();
    private final TestEmbedding embedding = new TestEmbedding(knowledge);
    private final FakeEmbeddingService service = new FakeEmbeddingService();
    private final List<ChildJvm> nodes = new ArrayList<>();
    private final ConcurrentHashMap<String, Boolean> embedded = new ConcurrentHashMap<>();
    private volatile boolean away;

    @AfterEach
    void end() {
        nodes.forEach(ChildJvm::close);
        service.close();
        embedding.close();
        knowledge.close();
    }

    private ChildJvm node() {
        var config = knowledge.accounts.database.config();
        return ChildJvm.start(EmbeddingNode.class, config.url(), config.user(), config.password(), service.url());
    }

    private Answer stormy(Asked asked) {
        if (away) {
            return Answer.of(503);
        }
        return switch (random.nextInt(20)) {
            case 0 -> Answer.of(500);
            case 1 -> late(asked, Duration.ofMillis(900));
            case 2 -> late(asked, Duration.ofMillis(300));
            case 3 -> new Answer(429, "{}", "Retry-After", "0.2");
            case 4 -> new Answer(0, "");
            case 5 -> new Answer(200, "{\"data\":[]}");
            default -> calm(asked);
        };
    }

    private Answer late(Asked asked, Duration by) {
        LockSupport.parkNanos(by.toNanos());
        return calm(asked);
    }

    private Answer calm(Asked asked) {
        if (asked.texts().stream().anyMatch(text -> text.contains("refused"))) {
            return Answer.of(400);
        }
        if (asked.texts().stream().anyMatch(text -> text.contains("poison"))) {
            return Answer.of(500);
        }
        asked.texts().forEach(text -> embedded.put(text, true));
        return FakeEmbeddingService.vectors(asked);
    }

    private String[] texts(int source) {
        return IntStream.range(0, 6)
                .mapToObj(i -> "Words %d of source %d%s".formatted(i, source, flaw(source, i)))
                .toArray(String[]::new);
    }

    private static String flaw(int source, int text) {
        if (source % 5 == 1 && text == 2) {
            return ", which is poison";
        }
        return source % 7 == 2 && text == 4 ? ", which is refused" : "";
    }

    private static String flaw(String text) {
        if (text.contains("poison")) {
            return "poison";
        }
        return text.contains("refused") ? "refused" : "";
    }

    @Test
    void whateverHappensEveryChunkIsEmbeddedOnceOrDeadAfterItsRetries() {
        service.behave(this::stormy);
        nodes.add(node());
        nodes.add(node());
        var sources = new ArrayList<SourceId>();
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            sources.add(embedding.note(texts(sources.size())));
            return !embedded.isEmpty();
        });
        var kills = new AtomicInteger();
        long until = System.nanoTime() + STORM.toNanos();
        for (int round = 0; System.nanoTime() < until; round++) {
            sources.add(embedding.note(texts(sources.size())));
            away = round % 20 > 15;
            if (round % 10 == 4) {
                disturb(round / 10, kills);
            }
            if (round % 9 == 4) {
                delete(sources.remove(random.nextInt(sources.size())));
            }
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
        away = false;
        service.behave(this::calm);
        nodes.forEach(ChildJvm::thaw);
        Awaitility.await()
                .atMost(Duration.ofSeconds(40))
                .until(() -> embedding.count("SELECT count(*) FROM knowledge.embedding_queue") == 0);
        assertThat(kills.get()).as("kills").isPositive();
        compare(sources);
    }

    /** Kills a node and starts another, or lets it sleep for longer than its leases. */
    private void disturb(int round, AtomicInteger kills) {
        var node = nodes.get(round % nodes.size());
        if (round % 3 == 2) {
            node.freeze();
        } else {
            node.kill();
            nodes.set(round % nodes.size(), node());
            kills.incrementAndGet();
        }
    }

    private void delete(SourceId source) {
        knowledge.db.useTransaction(tx -> tx.update("DELETE FROM knowledge.knowledge_sources WHERE id = :id")
                .bind("id", source.value())
                .execute());
    }

    private record Outcome(long source, String text, boolean embedded, int deaths, int retries, String code) {}

    private void compare(List<SourceId> sources) {
        var outcomes = knowledge.db.read(
                reads -> reads.query("""
                SELECT c.source_id, c.content, e.chunk_id IS NOT NULL AS embedded, count(d.id) AS deaths,
                       coalesce(max(d.retry_count), 0) AS retries, coalesce(max(d.error_code), '') AS code
                FROM knowledge.knowledge_chunks c
                LEFT JOIN %s e ON e.source_id = c.source_id AND e.chunk_id = c.id
                LEFT JOIN knowledge.knowledge_chunks_dlq d ON d.source_id = c.source_id AND d.original_chunk_id = c.id
                GROUP BY c.source_id, c.content, e.chunk_id
                """.formatted(knowledge.spaces.active().table()))
                        .map(row -> new Outcome(
                                row.getLong("source_id"),
                                row.getString("content"),
                                row.getBoolean("embedded"),
                                row.getInt("deaths"),
                                row.getInt("retries"),
                                row.getString("code")))
                        .list());
        assertThat(outcomes).as("seed " + SEED).hasSize(sources.size() * 6).allSatisfy(EmbeddingChaosTest::isRight);
        assertThat(embedding.vectors())
                .allSatisfy((text, vector) -> assertThat(TestEmbedding.similarity(vector, FakeProvider.vector(text)))
                        .as(text)
                        .isGreaterThan(0.999));
        var dead = new HashMap<Long, Integer>();
        outcomes.forEach(outcome -> dead.merge(outcome.source(), outcome.deaths(), Integer::sum));
        for (var source : sources) {
            int count = dead.getOrDefault(source.value(), 0);
            var standing = embedding.standing(source);
            assertThat(standing.status()).isEqualTo(count == 0 ? "completed" : count == 6 ? "failed" : "partial");
            assertThat(standing.waiting()).isZero();
            assertThat(standing.dead()).isEqualTo(count);
            assertThat(standing.embedded()).isEqualTo(6 - count);
        }
    }

    private static void isRight(Outcome outcome) {
        assertThat(outcome.embedded() ? 1 : 0).as(outcome.text()).isEqualTo(1 - outcome.deaths());
        switch (flaw(outcome.text())) {
            case "poison" ->
                assertThat(outcome.retries()).as("retries of poison").isEqualTo(MAX_RETRY);
            case "refused" -> assertThat(outcome.deaths()).isOne();
            default -> assertThat(outcome.retries()).isEqualTo(outcome.deaths() == 0 ? 0 : MAX_RETRY);
        }
        if (outcome.deaths() > 0 && outcome.retries() < MAX_RETRY) {
            assertThat(outcome.code()).isEqualTo("TEXT_REFUSED");
        }
    }
}
