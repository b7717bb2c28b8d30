package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;

/** Finds the provider of a model, also of the old one while a new space is built. */
@FunctionalInterface
public interface EmbeddingProviders extends AutoCloseable {

    /**
     * Returns the same provider for the same model; that of a model that is not available any more fails as
     * unreachable.
     */
    EmbeddingProvider of(Model model);

    /** The configured ones, with no models but those that are installed in the working folder. */
    static EmbeddingProviders configured(EmbeddingConfig config, InstantSource clock) {
        return new ConfiguredProviders(config, new InstalledModels(Path.of("")), clock, null);
    }

    /** Frees the memory of models that are not {@code used} by a space any more. */
    default void unloadOthers(Set<Model> used) {}

    @Override
    default void close() {}
}
