package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import java.time.InstantSource;

/** Finds the provider of a model, also of the old one while a new space is built. */
@FunctionalInterface
public interface EmbeddingProviders extends AutoCloseable {

    /**
     * Returns the same provider for the same model; that of a model that is not available any more fails as
     * unreachable.
     */
    EmbeddingProvider of(Model model);

    static EmbeddingProviders configured(EmbeddingConfig config, InstantSource clock) {
        return new ConfiguredProviders(config, clock, null);
    }

    @Override
    default void close() {}
}
