package io.hiroba.knowledge.search;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;

/** The configuration of search. */
public record SearchConfig(
        @Default("0.7")
        @Doc("The similarity below which a search by meaning shows nothing, unless it asks for another.")
        double threshold,

        @Default("1") @Doc("How much the rank by meaning counts in a hybrid search.")
        double vectorWeight,

        @Default("1") @Doc("How much the rank by words counts in a hybrid search.")
        double keywordWeight,

        @Default("0.01")
        @Doc("The share of searches by meaning that are compared with an exact one afterwards, for the metric of"
                + " recall.")
        double recallSample) {

    public SearchConfig {
        if (threshold < -1 || threshold > 1) {
            throw new IllegalArgumentException("threshold must be between -1 and 1, not " + threshold);
        }
        if (vectorWeight < 0 || keywordWeight < 0 || vectorWeight + keywordWeight == 0) {
            throw new IllegalArgumentException("vector-weight and keyword-weight must not be negative, nor both 0");
        }
        if (recallSample < 0 || recallSample > 1) {
            throw new IllegalArgumentException("recall-sample must be between 0 and 1, not " + recallSample);
        }
    }
}
