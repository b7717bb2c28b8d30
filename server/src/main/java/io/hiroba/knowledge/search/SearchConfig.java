package io.hiroba.knowledge.search;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;

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
}
