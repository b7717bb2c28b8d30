package io.hiroba.knowledge.embedding;

import static io.hiroba.knowledge.embedding.TestEmbedding.config;
import static io.hiroba.knowledge.embedding.TestEmbedding.failOn;
import static io.hiroba.knowledge.embedding.TestEmbedding.failWith;
import static io.hiroba.knowledge.embedding.TestEmbedding.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.knowledge.embedding.DeadLetters.Filter;
import io.hiroba.knowledge.embedding.ProviderBreaker.State;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.knowledge.embedding.TestEmbedding.Standing;
import io.hiroba.platform.config.SecretText;
import io.hiroba.testkit.TestKnowledge;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class EmbeddingFailuresTest {

    private static final Duration BACKOFF = Duration.ofMillis(100);
    private static final EmbeddingConfig CONFIG = config(100, 1, BACKOFF);

    private final TestKnowledge knowledge = new TestKnowledge();
    private TestEmbedding embedding = new TestEmbedding(knowledge);
    private final ConcurrentLinkedQueue<List<String>> calls = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void begin() {
        embedding = new TestEmbedding(knowledge);
        calls.clear();
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
    void aChunkIsDeadAfterExactlyItsRetriesAndTakesNobodyWithIt() {
        embedding.provider.always(texts -> {
            calls.add(texts);
            failOn("bad", Fault.SERVER_ERROR).fail(texts);
        });
        var source = embedding.note("good one", "bad one", "good two", "good three");
        embedding.start(CONFIG);
        embedding.await(source, new Standing("partial", 0, 1, 3, "SERVER_ERROR"));
        assertThat(calls.stream().filter(texts -> texts.contains(TestEmbedding.embedded("bad one"))))
                .as("one try and three more, the last one alone")
                .hasSize(4)
                .contains(List.of(TestEmbedding.embedded("bad one")));
        var dead = embedding.dead();
        assertThat(dead).hasSize(1);
        assertThat(dead.getFirst().retries()).isEqualTo(3);
        assertThat(dead.getFirst().lastRetryAt()).isNotNull();
        assertThat(dead.getFirst().errorMessage()).isEqualTo("The embedding service failed.");
        assertThat(dead.getFirst().origin().content()).isEqualTo("bad one");
        assertThat(embedding.told()).containsExactly("SERVER_ERROR × 1");
        assertThat(embedding
                        .meters
                        .get("hiroba.knowledge.chunks.dead")
                        .counter()
                        .count())
                .isOne();
    }

    @Test
    void aChunkWaitsLongerAfterEachFailure() {
        var config = new EmbeddingConfig(
                EmbeddingConfig.Kind.LOCAL,
                "",
                "",
                1,
                SecretText.of(""),
                100,
                5,
                Duration.ofSeconds(60),
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                Duration.ofMinutes(15),
                3,
                0,
                true);
        var queue = embedding.queue(config);
        var source = embedding.note("One");
        var space = embedding.knowledge.spaces.active();
        for (int minutes : new int[] {1, 5, 15}) {
            assertThat(queue.fail(queue.claim(space, 100).orElseThrow(), Fault.SERVER_ERROR))
                    .isEqualTo(new EmbeddingQueue.Failed(1, 0));
            assertThat(embedding.standing(source).status()).isEqualTo("processing");
            assertThat(embedding.count("""
                    SELECT round(extract(epoch FROM due_at - clock_timestamp()) / 60)::int
                    FROM knowledge.embedding_queue
                    """)).isEqualTo(minutes);
            embedding.knowledge.db.useTransaction(
                    tx -> tx.update("UPDATE knowledge.embedding_queue SET due_at = clock_timestamp()")
                            .execute());
        }
        assertThat(queue.fail(queue.claim(space, 100).orElseThrow(), Fault.SERVER_ERROR))
                .isEqualTo(new EmbeddingQueue.Failed(0, 1));
        assertThat(embedding.standing(source)).isEqualTo(new Standing("failed", 0, 1, 0, "SERVER_ERROR"));
    }

    @Test
    void aLimitIsNoFailureAndTheBatchStaysWhole() {
        embedding.provider.always(calls::add);
        embedding.provider.failing(texts -> {
            calls.add(texts);
            throw new ProviderException(Fault.RATE_LIMIT, "429", Duration.ofMillis(700), null);
        });
        var source = embedding.note(texts(7));
        long began = System.nanoTime();
        var worker = embedding.start(CONFIG);
        Awaitility.await().until(() -> calls.size() == 1);
        Awaitility.await().until(() -> embedding.standing(source).status(), "pending"::equals);
        assertThat(embedding.retries().values()).containsOnly(0);
        assertThat(worker.breaker(embedding.knowledge.spaces.active())
                        .orElseThrow()
                        .state())
                .isEqualTo(State.CLOSED);
        embedding.await(source, new Standing("completed", 0, 0, 7, null));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(700));
        assertThat(calls).hasSize(2);
        assertThat(Set.copyOf(calls.poll())).isEqualTo(Set.copyOf(calls.poll()));
        assertThat(embedding
                        .meters
                        .get("hiroba.knowledge.chunks.failed")
                        .counter()
                        .count())
                .isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"UNREACHABLE", "SERVER_ERROR", "EMBEDDING_API_TIMEOUT", "BAD_ANSWER", "TEXT_REFUSED"})
    void aProviderThatIsAwayCostsNoChunkARetry(Fault fault) {
        embedding.provider.always(failWith(fault));
        var source = embedding.note(texts(20));
        var worker = embedding.start(config(4, 3, BACKOFF));
        var breaker = Awaitility.await()
                .until(() -> worker.breaker(embedding.knowledge.spaces.active()), java.util.Optional::isPresent)
                .orElseThrow();
        Awaitility.await().until(breaker::state, State.OPEN::equals);
        int calls = embedding.provider.calls.get();
        Awaitility.await().until(() -> embedding.provider.calls.get() >= calls + 2);
        assertThat(breaker.fault()).contains(fault);
        Awaitility.await().until(() -> embedding.standing(source), new Standing("pending", 20, 0, 0, null)::equals);
        assertThat(embedding.retries().values()).containsOnly(0);
        assertThat(embedding.dead()).isEmpty();
        embedding.provider.always(texts -> {});
        embedding.await(source, new Standing("completed", 0, 0, 20, null));
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void aTextThatIsRefusedIsDeadAtOnceAndTheOthersGoOn() {
        embedding.provider.always(failOn("refused", Fault.TEXT_REFUSED));
        var source = embedding.note(
                "one", "refused one", "two", "three", "four", "refused two", "five", "six", "seven", "eight", "nine");
        embedding.start(CONFIG);
        embedding.await(source, new Standing("partial", 0, 2, 9, "TEXT_REFUSED"));
        assertThat(embedding.dead()).allSatisfy(letter -> {
            assertThat(letter.retries()).isZero();
            assertThat(letter.lastRetryAt()).isNull();
            assertThat(letter.origin().content()).startsWith("refused");
        });
    }

    @Test
    void aKeyThatIsRefusedKillsOneBatchAndTheOthersWaitForAPerson() {
        embedding.provider.always(failWith(Fault.AUTHENTICATION_ERROR));
        var source = embedding.note(texts(10));
        var worker = embedding.start(config(3, 3, BACKOFF));
        embedding.await(source, new Standing("processing", 7, 3, 0, "AUTHENTICATION_ERROR"));
        int calls = embedding.provider.calls.get();
        Awaitility.await().until(() -> embedding.provider.calls.get() >= calls + 2);
        assertThat(embedding.standing(source).dead()).isEqualTo(3);
        assertThat(worker.breaker(embedding.knowledge.spaces.active())
                        .orElseThrow()
                        .fault())
                .contains(Fault.AUTHENTICATION_ERROR);
        assertThat(embedding.told()).containsExactly("AUTHENTICATION_ERROR × 3");
        embedding.provider.always(texts -> {});
        embedding.await(source, new Standing("partial", 0, 3, 7, "AUTHENTICATION_ERROR"));
        var caller = embedding.knowledge.accounts.caller(embedding.owner);
        var letters = new DeadLetters(embedding.knowledge.db, embedding.signal);
        assertThat(letters.retryAll(caller, false, Filter.NONE)).isEqualTo(3);
        embedding.await(source, new Standing("completed", 0, 0, 10, null));
        assertThat(embedding.dead()).isEmpty();
    }

    @Test
    void aKeyThatIsRefusedWhileARefusedTextIsLookedForIsNoFaultOfTheTexts() {
        embedding.provider.failing(failWith(Fault.TEXT_REFUSED), texts -> {}, texts -> {});
        embedding.provider.always(failWith(Fault.AUTHENTICATION_ERROR));
        var source = embedding.note(texts(8));
        embedding.start(CONFIG);
        embedding.await(source, new Standing("partial", 0, 4, 4, "AUTHENTICATION_ERROR"));
    }

    @Test
    void aKeyThatIsStillRefusedAfterARestartCostsNoMoreChunks() {
        embedding.provider.always(failWith(Fault.AUTHENTICATION_ERROR));
        var source = embedding.note(texts(10));
        var expected = new Standing("processing", 7, 3, 0, "AUTHENTICATION_ERROR");
        embedding.start(config(3, 1, BACKOFF));
        embedding.await(source, expected);
        var again = embedding.start(config(3, 1, BACKOFF));
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> again.breaker(knowledge.spaces.active())
                        .flatMap(ProviderBreaker::fault)
                        .equals(java.util.Optional.of(Fault.AUTHENTICATION_ERROR)));
        embedding.await(source, expected);
    }

    @Test
    void whatBecameAnothersWhileARefusedTextIsLookedForIsLeftToThem() {
        embedding.provider.always(calls::add);
        embedding.provider.failing(texts -> {
            knowledge.db.useTransaction(tx -> tx.update("""
                    UPDATE knowledge.embedding_queue
                    SET claim = gen_random_uuid(), due_at = CURRENT_TIMESTAMP + interval '1 hour'
                    WHERE chunk_id IN (SELECT id FROM knowledge.knowledge_chunks WHERE content < 'Text number 4')
                    """).execute());
            throw new ProviderException(Fault.TEXT_REFUSED, "as told");
        });
        var source = embedding.note(texts(8));
        embedding.start(CONFIG);
        embedding.await(source, new Standing("processing", 4, 0, 4, null));
        assertThat(calls.stream().flatMap(List::stream))
                .as("a word first")
                .containsExactlyInAnyOrder(
                        "plaza",
                        TestEmbedding.embedded("Text number 4"),
                        TestEmbedding.embedded("Text number 5"),
                        TestEmbedding.embedded("Text number 6"),
                        TestEmbedding.embedded("Text number 7"));
    }

    @Test
    void vectorsThatAreNoneAreNotKept() {
        embedding.start(
                CONFIG,
                model -> (texts, purpose) -> texts.stream()
                        .map(text -> text.contains("odd")
                                ? new float[] {Float.NaN}
                                : io.hiroba.testkit.FakeProvider.vector(text))
                        .toList(),
                TestEmbedding.PACE);
        var source = embedding.note("odd one", "another");
        embedding.await(source, new Standing("partial", 0, 1, 1, "BAD_ANSWER"));
    }
}
