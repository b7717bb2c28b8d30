package io.hiroba.knowledge.embedding;

import java.util.List;

/** Makes vectors of texts. */
public interface Provider extends AutoCloseable {

    /** What a text is embedded for: some models want to know. */
    enum Purpose {
        PASSAGE,
        QUERY
    }

    /**
     * The vectors of {@code texts}, in their order.
     *
     * @throws ProviderException if there are none, saying whether it may be tried again
     */
    List<float[]> embed(List<String> texts, Purpose purpose) throws ProviderException;

    @Override
    default void close() {}
}
