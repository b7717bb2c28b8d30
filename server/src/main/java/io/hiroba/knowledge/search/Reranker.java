package io.hiroba.knowledge.search;

import io.hiroba.knowledge.embedding.ProviderException;
import java.util.List;

/** Scores passages with a model that reads each together with the query. */
@FunctionalInterface
interface Reranker extends AutoCloseable {

    /**
     * The scores of {@code passages} from 0 to 1, in their order.
     *
     * @throws ProviderException if there is not a score of each in time
     */
    double[] scores(String query, List<String> passages) throws ProviderException;

    @Override
    default void close() {}
}
