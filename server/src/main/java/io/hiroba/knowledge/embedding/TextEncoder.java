package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingProvider.Purpose;

/** Computes the vector of one text with a model inside the program, on the thread of its caller. */
@FunctionalInterface
interface TextEncoder extends AutoCloseable {

    float[] encode(String text, Purpose purpose);

    /** Frees memory that the next text will need again. */
    default void unload() {}

    @Override
    default void close() {}
}
