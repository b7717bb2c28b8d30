package io.hiroba.knowledge.embedding;

import static io.hiroba.knowledge.embedding.TestEmbedding.PACE;
import static io.hiroba.knowledge.embedding.TestEmbedding.config;
import static io.hiroba.knowledge.embedding.TestEmbedding.failOn;
import static io.hiroba.knowledge.embedding.TestEmbedding.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.knowledge.embedding.TestEmbedding.Standing;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.testkit.FakeProvider;
import io.hiroba.testkit.TestKnowledge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class SpaceSwitchTest {

    private static final Model OTHER = new Model("other", "words", FakeProvider.DIMENSIONS);
    private static final EmbeddingConfig CONFIG = config(5, 2, Duration.ofMillis(20));

    private final TestKnowledge knowledge = new TestKnowledge();
    private final TestEmbedding embedding = new TestEmbedding(knowledge);
    private final FakeProvider other = new FakeProvider();

    @AfterEach
    void end() {
        embedding.close();
        knowledge.close();
    }

    private void start() {
        embedding.start(CONFIG, model -> model.equals(OTHER) ? other : embedding.provider, PACE);
    }

    private static ConditionFactory patiently() {
        return Awaitility.await().atMost(Duration.ofSeconds(30));
    }

    private List<Model> unretired() {
        return knowledge.spaces.unretired().stream().map(EmbeddingSpace::model).toList();
    }

    /** How many chunks a search would choose from, as a node that knows nothing of the switch. */
    private int searchable(EmbeddingSpaces spaces) {
        while (true) {
            try {
                return embedding.count("""
                        SELECT count(*) FROM %s e
                        JOIN knowledge.knowledge_chunks c ON c.source_id = e.source_id AND c.id = e.chunk_id
                        """.formatted(spaces.active().table()));
            } catch (DbException e) {
                assertThat(SqlState.of(e)).isEqualTo(SqlState.UNDEFINED_TABLE);
                spaces.invalidate();
            }
        }
    }

    @Test
    void whileOneModelTakesThePlaceOfAnotherEveryChunkIsFound() throws Exception {
        var source = embedding.note(texts(60));
        start();
        embedding.await(source, new Standing("completed", 0, 0, 60, null));
        var old = knowledge.spaces.active();
        var elsewhere = new EmbeddingSpaces(knowledge.db);
        var done = new AtomicBoolean();
        var fewest = CompletableFuture.supplyAsync(() -> {
            int least = Integer.MAX_VALUE;
            while (!done.get()) {
                least = Math.min(least, searchable(elsewhere));
            }
            return least;
        });
        knowledge.spaces.prepare(OTHER);
        assertThat(embedding.standing(source).status()).as("nobody notices").isEqualTo("completed");
        patiently().until(this::unretired, List.of(OTHER)::equals);
        assertThat(searchable(elsewhere)).isEqualTo(60);
        done.set(true);
        assertThat(fewest.get()).isEqualTo(60);
        assertThat(elsewhere.active().model()).isEqualTo(OTHER);
        assertThat(other.embedded).hasSize(60);
        assertThat(embedding.count("SELECT count(*) FROM pg_class WHERE relname = 'embeddings_%d'".formatted(old.id())))
                .isZero();
        patiently().until(() -> knowledge.spaces.active().model(), OTHER::equals);
        embedding.await(source, new Standing("completed", 0, 0, 60, null));
    }

    @Test
    void chunksThatComeMeanwhileAreEmbeddedByBoth() {
        var before = embedding.note(texts(10));
        var hold = new CountDownLatch(1);
        other.failing(texts -> await(hold));
        start();
        embedding.await(before, new Standing("completed", 0, 0, 10, null));
        knowledge.spaces.prepare(OTHER);
        var during = embedding.note("Something new");
        embedding.await(during, new Standing("completed", 0, 0, 1, null));
        assertThat(unretired()).hasSize(2);
        hold.countDown();
        patiently().until(this::unretired, List.of(OTHER)::equals);
        patiently().until(() -> knowledge.spaces.active().model(), OTHER::equals);
        embedding.await(during, new Standing("completed", 0, 0, 1, null));
    }

    @Test
    void aModelThatCannotDoItsWorkIsNotSearched() {
        other.always(failOn("number 1", Fault.TEXT_REFUSED));
        var source = embedding.note(texts(100));
        start();
        embedding.await(source, new Standing("completed", 0, 0, 100, null));
        knowledge.spaces.prepare(OTHER);
        patiently().until(() -> embedding.count("SELECT count(*) FROM knowledge.embedding_queue") == 0);
        assertThat(embedding.dead()).as("1 and 10 to 19").hasSize(11);
        assertThat(unretired()).hasSize(2);
        assertThat(embedding.standing(source)).isEqualTo(new Standing("completed", 0, 0, 100, null));
        assertThat(embedding.told()).as("while nobody searches there").isEmpty();

        other.always(failOn("number 15", Fault.TEXT_REFUSED));
        new DeadLetters(knowledge.db, embedding.signal)
                .retryAll(knowledge.accounts.caller(embedding.owner), false, DeadLetters.Filter.NONE);
        patiently().until(this::unretired, List.of(OTHER)::equals);
        patiently().until(() -> knowledge.spaces.active().model(), OTHER::equals);
        embedding.await(source, new Standing("partial", 0, 1, 99, "TEXT_REFUSED"));
        assertThat(embedding.told()).containsExactly("TEXT_REFUSED × 1");
    }

    @Test
    void oneProviderThatIsAwayHoldsUpNoOther() {
        var hanging = new CountDownLatch(1);
        embedding.provider.always(texts -> await(hanging));
        embedding.note(texts(20));
        knowledge.spaces.prepare(OTHER);
        start();
        patiently().until(this::unretired, List.of(OTHER)::equals);
        assertThat(other.embedded).hasSize(20);
        hanging.countDown();
    }

    @Test
    void aNodeWithoutDictionariesReplacesNoSpaceThatHasGlosses() {
        var before = unretired();
        knowledge.spaces.prepareUnless(before.getFirst(), LocalProvider.MODEL);
        assertThat(unretired()).isEqualTo(before);
        knowledge.spaces.prepareUnless(GlossedProvider.MODEL, LocalProvider.MODEL);
        assertThat(unretired()).contains(LocalProvider.MODEL);
    }

    @Test
    void dictionariesThatAppearLaterAreSwitchedTo() {
        var installed = new AtomicBoolean();
        var glosses = new GlossSwitch(knowledge.spaces, CONFIG, installed::get);
        try (var resources = new ResourceStack()) {
            glosses.start(LocalProvider.MODEL, resources);
            glosses.prepareIfInstalled();
            assertThat(unretired()).containsExactly(TestKnowledge.MODEL, LocalProvider.MODEL);
            installed.set(true);
            glosses.prepareIfInstalled();
            assertThat(unretired()).containsExactly(TestKnowledge.MODEL, GlossedProvider.MODEL);
            new GlossSwitch(knowledge.spaces, CONFIG, () -> false).start(LocalProvider.MODEL, resources);
            assertThat(unretired()).containsExactly(TestKnowledge.MODEL, GlossedProvider.MODEL);
        }
    }

    @Test
    void theModelInsideTheProgramTakesOverFromAnotherOfOtherDimensions() throws Exception {
        var source = embedding.note("Cats purr.", "Sagas compensate.");
        try (var local = new LocalProvider()) {
            embedding.start(CONFIG, model -> model.equals(LocalProvider.MODEL) ? local : embedding.provider, PACE);
            embedding.await(source, new Standing("completed", 0, 0, 2, null));
            knowledge.spaces.prepare(LocalProvider.MODEL);
            patiently().until(() -> knowledge.spaces.active().model(), LocalProvider.MODEL::equals);
            embedding.await(source, new Standing("completed", 0, 0, 2, null));
            var query = local.embed(List.of("happy kittens"), EmbeddingProvider.Purpose.QUERY)
                    .getFirst();
            var vectors = embedding.vectors();
            assertThat(TestEmbedding.similarity(
                            query, vectors.getOrDefault(TestEmbedding.embedded("Cats purr."), query)))
                    .isBetween(
                            TestEmbedding.similarity(
                                            query,
                                            vectors.getOrDefault(TestEmbedding.embedded("Sagas compensate."), query))
                                    + 0.05,
                            0.99);
        }
    }

    @Test
    void anInstalledModelTakesOverAndItsQueriesGoOnUntilAnotherIsComplete(@TempDir Path data) throws Exception {
        var installed = TestEmbedding.installModel(data, "from-outside");
        var source = embedding.note("Cats purr.", "Sagas compensate.");
        try (var providers = new ConfiguredProviders(CONFIG, new InstalledModels(data), InstantSource.system(), null)) {
            embedding.start(CONFIG, withFake(providers), PACE);
            embedding.await(source, new Standing("completed", 0, 0, 2, null));
            knowledge.spaces.prepare(installed);
            patiently().until(() -> knowledge.spaces.active().model(), installed::equals);
            embedding.await(source, new Standing("completed", 0, 0, 2, null));
            var vectors = new QueryEmbeddings(knowledge.spaces, providers, new SimpleMeterRegistry());
            var query = vectors.of("happy kittens").values();
            var stored = embedding.vectors();
            assertThat(TestEmbedding.similarity(
                            query, stored.getOrDefault(TestEmbedding.embedded("Cats purr."), query)))
                    .isBetween(
                            TestEmbedding.similarity(
                                            query,
                                            stored.getOrDefault(TestEmbedding.embedded("Sagas compensate."), query))
                                    + 0.05,
                            0.99);
            var hold = new CountDownLatch(1);
            embedding.provider.always(texts -> await(hold));
            knowledge.spaces.prepare(TestKnowledge.MODEL);
            assertThat(vectors.of("kittens that purr").space().model())
                    .as("configured is another")
                    .isEqualTo(installed);
            hold.countDown();
            patiently().until(() -> knowledge.spaces.active().model(), TestKnowledge.MODEL::equals);
            var model = new InstalledModels(data).find(installed).orElseThrow();
            patiently().until(() -> !model.isHeld());
        }
    }

    /** The fake one beside others. */
    private EmbeddingProviders withFake(EmbeddingProviders others) {
        return new EmbeddingProviders() {
            @Override
            public EmbeddingProvider of(Model model) {
                return model.equals(TestKnowledge.MODEL) ? embedding.provider : others.of(model);
            }

            @Override
            public void unloadOthers(Set<Model> used) {
                others.unloadOthers(used);
            }
        };
    }

    @Test
    void aModelThatNobodyWantsAnyMoreIsGivenUp() {
        embedding.note(texts(3));
        knowledge.spaces.prepare(OTHER);
        assertThat(unretired()).containsExactly(TestKnowledge.MODEL, OTHER);
        knowledge.spaces.prepare(TestKnowledge.MODEL);
        assertThat(unretired()).containsExactly(TestKnowledge.MODEL);
        assertThat(embedding.count("SELECT count(*) FROM knowledge.embedding_queue"))
                .isEqualTo(3);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
