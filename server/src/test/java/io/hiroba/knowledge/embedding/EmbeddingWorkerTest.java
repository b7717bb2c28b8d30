package io.hiroba.knowledge.embedding;

import static io.hiroba.knowledge.embedding.TestEmbedding.PACE;
import static io.hiroba.knowledge.embedding.TestEmbedding.config;
import static io.hiroba.knowledge.embedding.TestEmbedding.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.knowledge.NewSource;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.embedding.EmbeddingWorker.Pace;
import io.hiroba.knowledge.embedding.TestEmbedding.Standing;
import io.hiroba.testkit.FakeProvider;
import io.hiroba.testkit.TestKnowledge;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmbeddingWorkerTest {

    private static final EmbeddingConfig CONFIG = config(100, 5, Duration.ofMillis(100));

    private final TestKnowledge knowledge = new TestKnowledge();
    private TestEmbedding embedding = new TestEmbedding(knowledge);

    @BeforeEach
    void begin() {
        embedding = new TestEmbedding(knowledge);
    }

    @AfterEach
    void clear() {
        embedding.close();
    }

    @AfterAll
    void end() {
        knowledge.close();
    }

    @Test
    void everyChunkGetsTheVectorOfItsTextBelowItsTitleAndPlace() {
        var sizes = new ConcurrentLinkedQueue<Integer>();
        embedding.provider.always(texts -> sizes.add(texts.size()));
        var source = embedding.note(texts(250));
        assertThat(embedding.standing(source)).isEqualTo(new Standing("pending", 250, 0, 0, null));
        embedding.start(CONFIG);
        embedding.await(source, new Standing("completed", 0, 0, 250, null));
        assertThat(sizes).containsExactlyInAnyOrder(100, 100, 50);
        assertThat(embedding.vectors())
                .hasSize(250)
                .allSatisfy((text, vector) -> assertThat(TestEmbedding.similarity(vector, FakeProvider.vector(text)))
                        .isGreaterThan(0.999));
        assertThat(embedding
                        .meters
                        .get("hiroba.knowledge.chunks.embedded")
                        .counter()
                        .count())
                .isEqualTo(250);
        assertThat(embedding
                        .meters
                        .get("hiroba.knowledge.chunks.waiting")
                        .gauge()
                        .value())
                .isZero();
    }

    @Test
    void aLargeUploadLeavesOthersTheirTurn() {
        embedding.note(texts(250));
        var other = knowledge.note(knowledge.accounts.user("other"), false, "Small", "A text");
        var queue = embedding.queue(CONFIG);
        var space = knowledge.spaces.active();
        var first = queue.claim(space, 100).orElseThrow();
        assertThat(first.chunks())
                .hasSize(51)
                .anySatisfy(chunk -> assertThat(chunk.source()).isEqualTo(other));
        assertThat(queue.claim(space, 100).orElseThrow().chunks()).hasSize(100);
        assertThat(queue.claim(space, 100).orElseThrow().chunks()).hasSize(100);
        assertThat(queue.claim(space, 100)).isEmpty();
    }

    @Test
    void aSourceIsProcessedWhileItsChunksAreUnderWay() {
        var answer = new CountDownLatch(1);
        embedding.provider.always(texts -> await(answer));
        var source = embedding.note(texts(3));
        embedding.start(CONFIG);
        embedding.await(source, new Standing("processing", 3, 0, 0, null));
        answer.countDown();
        embedding.await(source, new Standing("completed", 0, 0, 3, null));
    }

    @Test
    void noMoreCallsThanAllowedAreUnderWayAtOnce() {
        var under = new AtomicInteger();
        var most = new AtomicInteger();
        embedding.provider.always(texts -> {
            most.accumulateAndGet(under.incrementAndGet(), Math::max);
            Awaitility.await().pollDelay(Duration.ofMillis(20)).until(() -> true);
            under.decrementAndGet();
        });
        var source = embedding.note(texts(60));
        embedding.start(config(2, 3, Duration.ZERO));
        embedding.await(source, new Standing("completed", 0, 0, 60, null));
        assertThat(most).hasValue(3);
    }

    @Test
    void newChunksWakeTheWorkerAtOnce() {
        embedding.start(
                CONFIG,
                model -> embedding.provider,
                new Pace(Duration.ofMinutes(1), PACE.firstPause(), PACE.maxPause(), PACE.closeTimeout()));
        Awaitility.await()
                .until(() -> embedding
                                .meters
                                .find("hiroba.knowledge.embedding.breaker")
                                .gauge()
                        != null);
        var note = new NewSource(embedding.owner, false, SourceType.NOTE, "N", null, null, null, Place.NONE, Map.of());
        var source = embedding.knowledge.db.inTransaction(tx -> embedding
                .writer()
                .create(tx, note, TestKnowledge.chunks("N", "One"))
                .orElseThrow());
        embedding.await(source, new Standing("completed", 0, 0, 1, null));
    }

    @Test
    void whatIsWrittenCarriesWhatItsSourceSaysByThen() {
        var asked = new CountDownLatch(1);
        var answer = new CountDownLatch(1);
        embedding.provider.always(texts -> {
            asked.countDown();
            await(answer);
        });
        var source = embedding.note("One");
        embedding.start(CONFIG);
        await(asked);
        embedding.knowledge.db.useTransaction(tx -> embedding.knowledge.writer.setPublic(tx, source, true));
        answer.countDown();
        embedding.await(source, new Standing("completed", 0, 0, 1, null));
        assertThat(embedding.count("SELECT count(*) FROM %s WHERE is_public"
                        .formatted(embedding.knowledge.spaces.active().table())))
                .isOne();
    }

    @Test
    void aSourceThatIsDeletedMeanwhileLeavesNothing() {
        var asked = new CountDownLatch(1);
        var answer = new CountDownLatch(1);
        embedding.provider.failing(texts -> {
            asked.countDown();
            await(answer);
        });
        var source = embedding.note(texts(5));
        embedding.start(CONFIG);
        await(asked);
        embedding.knowledge.db.useTransaction(tx -> tx.update("DELETE FROM knowledge.knowledge_sources WHERE id = :id")
                .bind("id", source.value())
                .execute());
        answer.countDown();
        var next = embedding.note("Another");
        embedding.await(next, new Standing("completed", 0, 0, 1, null));
        assertThat(embedding.count("SELECT count(*) FROM "
                        + embedding.knowledge.spaces.active().table()))
                .isOne();
        assertThat(embedding.dead()).isEmpty();
    }

    @Test
    void aNodeThatDiesLeavesOnlyALease() {
        var source = embedding.note(texts(3));
        var brief = config(100, 5, Duration.ZERO, Duration.ofMillis(300));
        var dead = embedding.queue(brief);
        var claim = dead.claim(embedding.knowledge.spaces.active(), 100).orElseThrow();
        assertThat(claim.chunks()).hasSize(3);
        assertThat(embedding.queue(brief).claim(embedding.knowledge.spaces.active(), 100))
                .as("while the lease lasts")
                .isEmpty();
        embedding.start(CONFIG);
        embedding.await(source, new Standing("completed", 0, 0, 3, null));
        assertThat(dead.done(
                        claim, claim.texts().stream().map(FakeProvider::vector).toList()))
                .as("what it writes when it wakes up")
                .isZero();
        assertThat(dead.deadLetter(claim, ProviderException.Fault.TEXT_REFUSED)).isZero();
        assertThat(embedding.standing(source)).isEqualTo(new Standing("completed", 0, 0, 3, null));
    }

    @Test
    void whatIsNotDoneWhenANodeStopsIsGivenBack() {
        var answer = new CountDownLatch(1);
        embedding.provider.failing(texts -> await(answer));
        var source = embedding.note(texts(3));
        var worker = embedding.start(CONFIG);
        embedding.await(source, new Standing("processing", 3, 0, 0, null));
        worker.close();
        assertThat(embedding.standing(source)).isEqualTo(new Standing("pending", 3, 0, 0, null));
        embedding.start(CONFIG);
        embedding.await(source, new Standing("completed", 0, 0, 3, null));
        answer.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aClaimHasNoMoreTokensThanACallTakes() {
        embedding.note(texts(5));
        var queue = embedding.queue(config(100, 1, Duration.ZERO));
        var space = embedding.knowledge.spaces.active();
        tokens(EmbeddingQueueStore.MAX_TOKENS / 2);
        assertThat(queue.claim(space, 100).orElseThrow().chunks()).hasSize(2);
        tokens(EmbeddingQueueStore.MAX_TOKENS * 2);
        assertThat(queue.claim(space, 100).orElseThrow().chunks())
                .as("one in any case")
                .hasSize(1);
        tokens(1);
        assertThat(queue.claim(space, 100).orElseThrow().chunks()).hasSize(2);
    }

    private void tokens(int count) {
        embedding.knowledge.db.useTransaction(
                tx -> tx.update("UPDATE knowledge.knowledge_chunks SET token_count = :count")
                        .bind("count", count)
                        .execute());
    }

    @Test
    void aLeaseIsLongerThanACallOfTheModelInsideTheProgram() {
        var hasty = config(100, 1, Duration.ZERO, Duration.ofSeconds(1));
        assertThat(hasty.lease(LocalProvider.MODEL)).isGreaterThan(LocalProvider.LIMIT.multipliedBy(2));
        assertThat(hasty.lease(io.hiroba.testkit.TestKnowledge.MODEL)).isEqualTo(Duration.ofSeconds(3));
    }
}
