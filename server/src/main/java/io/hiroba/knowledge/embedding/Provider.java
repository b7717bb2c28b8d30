package io.hiroba.knowledge.embedding;

import java.util.List;

/** Makes vectors of texts. */
public interface Provider extends AutoCloseable {

    /** What a text is embedded for: a query does not wait as long as a passage does. */
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

    /** How many calls at once make sense, of {@code most} that are allowed. */
    default int atOnce(int most) {
        return most;
    }

    /** How many texts a call should have, of {@code most} that are allowed. */
    default int batch(int most) {
        return most;
    }

    @Override
    default void close() {}
}
