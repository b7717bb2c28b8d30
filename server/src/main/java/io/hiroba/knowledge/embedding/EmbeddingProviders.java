package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import java.time.InstantSource;

/** Finds the provider of a model: also of the old one while a new one is being built. */
@FunctionalInterface
public interface EmbeddingProviders extends AutoCloseable {

    /** Always the same for the same model; one that can be had no more answers that it is not to be reached. */
    EmbeddingProvider of(Model model);

    static EmbeddingProviders configured(EmbeddingConfig config, InstantSource clock) {
        return new ConfiguredProviders(config, clock);
    }

    @Override
    default void close() {}
}
