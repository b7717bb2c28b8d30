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

/** The benchmark of the local model. */
final class LocalModelBench implements AutoCloseable {

    private static final int BATCH_SIZE = 8;
    private static final List<String> WORDS =
            List.of("the", "release", "was", "rolled", "back", "because", "a", "migration", "had", "locked", "orders");

    private final EmbeddingProviders providers;
    private final EmbeddingProvider model;

    LocalModelBench() {
        var config = ConfigLoader.of(EmbeddingConfig.class)
                .environment(Map.of())
                .arguments(List.of())
                .load()
                .value();
        providers = EmbeddingProviders.configured(config, Clock.systemUTC());
        model = providers.of(config.configuredModel());
    }

    /** The texts per second, each of {@code words} words. */
    double rate(int words, double seconds) {
        var text = IntStream.range(0, words)
                .mapToObj(i -> WORDS.get(i % WORDS.size()))
                .collect(Collectors.joining(" "));
        var texts = IntStream.range(0, BATCH_SIZE).mapToObj(i -> text + " " + i).toList();
        long start = System.nanoTime();
        int done = 0;
        try {
            do {
                done += model.embed(texts, Purpose.PASSAGE).size();
            } while (System.nanoTime() - start < seconds * 1e9);
        } catch (ProviderException e) {
            throw new IllegalStateException(e);
        }
        return done / ((System.nanoTime() - start) / 1e9);
    }

    @Override
    public void close() {
        providers.close();
    }
}
