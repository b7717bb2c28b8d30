package io.hiroba.knowledge.search;

import io.hiroba.platform.i18n.Language;
import java.util.Map;

/**
 * What each signal counts, and the probability below which a passage is no answer. It belongs to an embedding model, whose
 * similarities mean nothing to another one, to a mode of search and to a family of scripts. Fitted to judged questions by
 * {@code ./hiroba bench search --calibrate}.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Calibration(double floor, double... weights) {

    /** The scripts of queries that are calibrated apart: some write words with spaces between them, others without. */
    enum Script {
        SPACED,
        UNSPACED;

        static Script of(Language language) {
            return language == Language.ENGLISH ? SPACED : UNSPACED;
        }
    }

    private record Key(SearchMode mode, Script script) {}

    /** Of the built-in model; by keyword, of any. */
    private static final Map<Key, Calibration> BUILT_IN = Map.of(
            new Key(SearchMode.HYBRID, Script.SPACED),
            new Calibration(0.01, -19.40, 25.89, 1.26, 0, 4.28, 0, -4.75),
            new Key(SearchMode.HYBRID, Script.UNSPACED),
            new Calibration(0.01, -17.00, 25.73, -1.08, 0, 0, 10.29, -2.69),
            new Key(SearchMode.VECTOR, Script.SPACED),
            new Calibration(0.005, -22.09, 31.12, 1.08, 0, 0, 0, 0),
            new Key(SearchMode.VECTOR, Script.UNSPACED),
            new Calibration(0.005, -18.65, 28.09, -0.87, 0, 0, 0, 0),
            new Key(SearchMode.KEYWORD, Script.SPACED),
            new Calibration(0.02, -4.61, 0, 0, 0, 5.69, 10.34, -3.42),
            new Key(SearchMode.KEYWORD, Script.UNSPACED),
            new Calibration(0.025, -3.78, 0, 0, 1.97, 0, 33.48, -3.17));

    static Calibration of(SearchMode mode, Script script) {
        return BUILT_IN.getOrDefault(new Key(mode, script), new Calibration(0, new double[Evidence.SIGNALS]));
    }

    /** The probability that a passage with these signals answers the query. */
    double probability(double... signals) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i] * signals[i];
        }
        return 1 / (1 + Math.exp(-sum));
    }
}
