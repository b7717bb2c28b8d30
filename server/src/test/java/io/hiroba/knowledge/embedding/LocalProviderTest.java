package io.hiroba.knowledge.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.knowledge.embedding.EmbeddingProvider.Purpose;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocalProviderTest {

    private final LocalProvider provider = new LocalProvider();

    @AfterAll
    void end() {
        provider.close();
    }

    @Test
    void whatMeansTheSameIsNear() throws ProviderException {
        var passages = provider.embed(
                List.of("Cats purr when they are content.", "A saga is a sequence of local transactions."),
                Purpose.PASSAGE);
        var query = provider.embed(List.of("noises that a happy kitten makes"), Purpose.QUERY)
                .getFirst();
        assertThat(query).hasSize(LocalProvider.MODEL.dimensions());
        assertThat(TestEmbedding.similarity(query, passages.getFirst()))
                .isGreaterThan(TestEmbedding.similarity(query, passages.getLast()) + 0.1);
    }

    @Test
    void aQuestionIsReadBehindTheModelsInstruction() throws ProviderException {
        var text = "Where do cats sleep?";
        var asked = "Represent this sentence for searching relevant passages: " + text;
        assertThat(provider.embed(List.of(text), Purpose.QUERY).getFirst())
                .isEqualTo(provider.embed(List.of(asked), Purpose.PASSAGE).getFirst());
    }

    @Test
    void aTextLongerThanTheModelTakesHasAVectorToo() throws ProviderException {
        assertThat(provider.embed(List.of("A sentence about nothing much. ".repeat(150)), Purpose.PASSAGE))
                .singleElement()
                .satisfies(vector -> assertThat(vector).hasSize(384));
    }

    @Test
    void aQueryDoesNotWaitBehindABatch() throws ProviderException {
        provider.embed(List.of("warm"), Purpose.QUERY);
        var batch = CompletableFuture.supplyAsync(() -> {
            try {
                return provider.embed(
                        Collections.nCopies(16, "A sentence of some length. ".repeat(30)), Purpose.PASSAGE);
            } catch (ProviderException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(provider.embed(List.of("how long do I wait"), Purpose.QUERY)).hasSize(1);
        assertThat(batch).as("still under way").isNotDone();
        assertThat(batch.join()).hasSize(16);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u200b", "\ufeff", "\u0300", "\u2060", "\u00ad", "\ufe0f", "\u200d"})
    void aTextWithoutTokensIsRefusedAndNotTheModelsFault(String text) {
        for (var purpose : Purpose.values()) {
            assertThatThrownBy(() -> provider.embed(List.of("something", text), purpose))
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            failure -> assertThat(failure.fault()).isEqualTo(ProviderException.Fault.TEXT_REFUSED));
        }
    }

    @Test
    void nothingHasNoVector() {
        assertThatThrownBy(() -> provider.embed(List.of("something", " "), Purpose.PASSAGE))
                .isInstanceOfSatisfying(
                        ProviderException.class,
                        failure -> assertThat(failure.fault()).isEqualTo(ProviderException.Fault.TEXT_REFUSED));
    }

    @Test
    void withoutDictionariesTheOtherTextsAreServed() throws ProviderException {
        try (var glossed = new GlossedProvider(new LocalProvider(), () -> false)) {
            assertThat(glossed.embed(List.of("cats"), Purpose.QUERY)).hasSize(1);
            assertThat(glossed.embed(List.of("cats", "dogs"), Purpose.PASSAGE)).hasSize(2);
            assertThatThrownBy(() -> glossed.embed(List.of("猫"), Purpose.QUERY))
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            failure -> assertThat(failure.fault()).isEqualTo(ProviderException.Fault.TEXT_REFUSED));
            for (var texts : List.of(List.of("cats", "猫"), List.of(EmbeddingProvider.PROBE_TEXT))) {
                assertThatThrownBy(() -> glossed.embed(texts, Purpose.PASSAGE))
                        .as("left to other nodes: %s", texts)
                        .isInstanceOfSatisfying(
                                ProviderException.class,
                                failure -> assertThat(failure.fault()).isEqualTo(ProviderException.Fault.UNREACHABLE));
            }
        }
    }
}
