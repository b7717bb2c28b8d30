package io.hiroba.bench.knowledge;

import io.hiroba.knowledge.embedding.EmbeddingConfig;
import io.hiroba.knowledge.embedding.EmbeddingProvider;
import io.hiroba.knowledge.embedding.EmbeddingProvider.Purpose;
import io.hiroba.knowledge.embedding.EmbeddingProviders;
import io.hiroba.knowledge.embedding.ProviderException;
import io.hiroba.platform.config.ConfigLoader;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The model inside the program. */
final class LocalTexts implements AutoCloseable {

    private static final int AT_ONCE = 8;
    private static final List<String> WORDS =
            List.of("the", "release", "was", "rolled", "back", "because", "a", "migration", "had", "locked", "orders");

    private final EmbeddingProviders providers;
    private final EmbeddingProvider model;

    LocalTexts() {
        var config = ConfigLoader.of(EmbeddingConfig.class)
                .environment(Map.of())
                .arguments(List.of())
                .load()
                .value();
        providers = EmbeddingProviders.configured(config, Clock.systemUTC());
        model = providers.of(config.wanted());
    }

    /** How many texts of so many words a second. */
    double rate(int words, double seconds) {
        var text = IntStream.range(0, words)
                .mapToObj(i -> WORDS.get(i % WORDS.size()))
                .collect(Collectors.joining(" "));
        var texts = IntStream.range(0, AT_ONCE).mapToObj(i -> text + " " + i).toList();
        long begun = System.nanoTime();
        int done = 0;
        try {
            do {
                done += model.embed(texts, Purpose.PASSAGE).size();
            } while (System.nanoTime() - begun < seconds * 1e9);
        } catch (ProviderException e) {
            throw new IllegalStateException(e);
        }
        return done / ((System.nanoTime() - begun) / 1e9);
    }

    @Override
    public void close() {
        providers.close();
    }
}
