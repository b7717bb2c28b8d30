package io.hiroba.knowledge.embedding;

import java.util.List;

/** Computes vectors of texts. */
public interface EmbeddingProvider extends AutoCloseable {

    /** A text that any working provider can embed. */
    String PROBE_TEXT = "plaza";

    /** The purpose of a vector: queries have a shorter timeout. */
    enum Purpose {
        PASSAGE,
        QUERY
    }

    /**
     * Computes the vectors of {@code texts}, in their order.
     *
     * @throws ProviderException on failure, with whether it can be retried
     */
    List<float[]> embed(List<String> texts, Purpose purpose) throws ProviderException;

    /** The number of useful concurrent calls, up to {@code max}. */
    default int concurrency(int max) {
        return max;
    }

    /** The number of texts per call, up to {@code max}. */
    default int batch(int max) {
        return max;
    }

    /** Frees memory that the next text will need again. */
    default void unload() {}

    @Override
    default void close() {}
}
