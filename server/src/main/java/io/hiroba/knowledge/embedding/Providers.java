package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.Space.Model;
import java.time.InstantSource;

/** Who makes the vectors of which model: also of the old one, while a new one is being built. */
@FunctionalInterface
public interface Providers extends AutoCloseable {

    /** Always the same for the same model; one that can be had no more answers that it is not to be reached. */
    Provider of(Model model);

    static Providers configured(EmbeddingConfig config, InstantSource clock) {
        return new ConfiguredProviders(config, clock);
    }

    @Override
    default void close() {}
}
