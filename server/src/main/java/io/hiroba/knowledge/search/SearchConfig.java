package io.hiroba.knowledge.search;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import io.hiroba.platform.config.SecretText;
import java.time.Duration;

/** The configuration of search. */
public record SearchConfig(
        @Default("0.01")
        @Doc("The share of searches by meaning that are compared with an exact one afterwards, for the metric of"
                + " recall.")
        double recallSample) {

    public SearchConfig {
        if (!(recallSample >= 0 && recallSample <= 1)) {
            throw new IllegalArgumentException("recall-sample must be between 0 and 1, not " + recallSample);
        }
    }

    /** The configuration of the model that orders the best hits of a search. */
    public record RerankConfig(
            @Default("none")
            @Doc(
                    "Who orders the best hits of a hybrid search by reading each with the query: none, http (any service that"
                            + " speaks Cohere's or Jina's rerank API) or onnx (a model that `./hiroba models install` has"
                            + " installed).")
            Provider provider,

            @Default("") @Doc("Where the service answers, for example https://api.jina.ai/v1; only for http.")
            String baseUrl,

            @Default("") @Doc("The service's model, or the name of the installed one.")
            String model,

            @Default("") @Doc("The service's key; only for http.") @Secret
            SecretText key,

            @Default("50") @Doc("The best candidates of a search, probable or not, that the model reads, at the least.")
            int candidates,

            @Default("0.02")
            @Doc(
                    "The model's score, from 0 to 1, below which a passage is no answer and is not shown; 0 shows all that it has read.")
            double floor,

            @Default("800ms")
            @Doc("How long it may take. A search that has no answer by then shows its hits in its own order.")
            Duration timeout) {

        /** The providers to choose from. */
        public enum Provider {
            NONE,
            HTTP,
            ONNX
        }

        public RerankConfig {
            if (provider == Provider.HTTP && !baseUrl.matches("https?://[^\\s/?#@]+(/[^\\s?#]*)?")) {
                throw new IllegalArgumentException("base-url must be the http or https address of the service");
            }
            if (provider != Provider.NONE && model.isEmpty()) {
                throw new IllegalArgumentException("model must name the model that orders hits");
            }
            if (candidates < 1 || candidates > KnowledgeQuery.MAX_LIMIT) {
                throw new IllegalArgumentException(
                        "candidates must be between 1 and %d, not %d".formatted(KnowledgeQuery.MAX_LIMIT, candidates));
            }
            if (!(floor >= 0 && floor <= 1)) {
                throw new IllegalArgumentException("floor must be between 0 and 1, not " + floor);
            }
            if (timeout.toMillis() < 10 || timeout.toSeconds() > 60) {
                throw new IllegalArgumentException("timeout must be between 10ms and 60s");
            }
        }
    }
}
