package io.hiroba.knowledge.embedding;

import static io.hiroba.knowledge.embedding.TestEmbedding.failOn;
import static io.hiroba.knowledge.embedding.TestEmbedding.failWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.testkit.FakeProvider;
import io.hiroba.testkit.TestKnowledge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryEmbeddingsTest {

    private final TestKnowledge knowledge = new TestKnowledge();
    private FakeProvider provider = new FakeProvider();
    private QueryEmbeddings vectors = vectors();

    private QueryEmbeddings vectors() {
        return new QueryEmbeddings(knowledge.spaces, model -> provider, new SimpleMeterRegistry());
    }

    @BeforeEach
    void begin() {
        provider = new FakeProvider();
        vectors = vectors();
    }

    @AfterAll
    void end() {
        knowledge.close();
    }

    @Test
    void aQueryIsEmbeddedInTheSpaceThatIsSearchedAndOnlyOnce() throws ProviderException {
        var vector = vectors.of(" cats that purr ");
        assertThat(vector.space()).isEqualTo(knowledge.spaces.active());
        assertThat(TestEmbedding.similarity(vector.values(), FakeProvider.vector("cats that purr")))
                .isGreaterThan(0.9999);
        assertThat(vectors.of("cats that purr").values()).isSameAs(vector.values());
        assertThat(provider.calls).hasValue(1);
    }

    @Test
    void theLocalModelWithoutGlossesKnowsNoJapaneseAndChinese() {
        assertThat(vectors.understands("猫はどこ")).isTrue();
        try (var own = new TestKnowledge()) {
            own.db.useTransaction(tx -> {
                tx.update("UPDATE knowledge.spaces SET state = 'retired'").execute();
                tx.query("SELECT knowledge.make_space('local', 'bge-small-en-v1.5', 384, 'active')")
                        .mapTo(Integer.class)
                        .one();
            });
            own.spaces.invalidate();
            var plain = new QueryEmbeddings(own.spaces, model -> provider, new SimpleMeterRegistry());
            assertThat(plain.understands("猫はどこ")).isFalse();
            assertThat(plain.understands("VPN的设置")).isFalse();
            assertThat(plain.understands("Where is the cat?")).isTrue();
            assertThat(plain.understands("What does 猫 mean?")).isTrue();
        }
    }

    @Test
    void onlyTheBeginningOfALongQueryCounts() throws ProviderException {
        var asked = new AtomicReference<String>("");
        provider.always(texts -> asked.set(texts.getFirst()));
        vectors.of("😀".repeat(10_000));
        assertThat(asked.get()).isEqualTo("😀".repeat(QueryEmbeddings.MAX_LENGTH));
    }

    @Test
    void whileAProviderIsAwayNobodyWaitsForIt() {
        provider.always(failWith(Fault.UNREACHABLE));
        assertThatThrownBy(() -> vectors.of("one")).isInstanceOf(ProviderException.class);
        assertThatThrownBy(() -> vectors.of("two"))
                .isInstanceOfSatisfying(
                        ProviderException.class,
                        failure -> assertThat(failure.fault()).isEqualTo(Fault.UNREACHABLE));
        assertThat(provider.calls).hasValue(1);
    }

    @Test
    void aQueryThatIsRefusedIsNoFaultOfTheProvider() throws ProviderException {
        provider.failing(failWith(Fault.TEXT_REFUSED));
        assertThatThrownBy(() -> vectors.of("one")).isInstanceOf(ProviderException.class);
        assertThat(vectors.of("two").values()).hasSize(FakeProvider.DIMENSIONS);
        assertThatThrownBy(() -> vectors.of(" ")).isInstanceOf(ProviderException.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"SERVER_ERROR", "BAD_ANSWER"})
    void aQueryThatAWorkingProviderFailsAtTurnsOffNoOthers(Fault fault) throws ProviderException {
        provider.always(failOn("poison", fault));
        assertThatThrownBy(() -> vectors.of("poison"))
                .isInstanceOfSatisfying(
                        ProviderException.class,
                        failure -> assertThat(failure.fault()).isEqualTo(Fault.TEXT_REFUSED));
        assertThat(vectors.of("two").values()).hasSize(FakeProvider.DIMENSIONS);
    }
}
