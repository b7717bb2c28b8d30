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
            new Calibration(0.02, -19.95, 26.43, 1.07, 0, 3.37, 1.48, -4.57),
            new Key(SearchMode.HYBRID, Script.UNSPACED),
            new Calibration(0.00, -18.30, 27.21, -1.13, 0, 0, 11.03, -2.49),
            new Key(SearchMode.VECTOR, Script.SPACED),
            new Calibration(0.02, -22.23, 30.41, 1.03, 0, 0, 0, 0),
            new Key(SearchMode.VECTOR, Script.UNSPACED),
            new Calibration(0.00, -20.27, 30.07, -0.95, 0, 0, 0, 0),
            new Key(SearchMode.KEYWORD, Script.SPACED),
            new Calibration(0.01, -4.21, 0, 0, 0, 5.32, 9.49, -3.66),
            new Key(SearchMode.KEYWORD, Script.UNSPACED),
            new Calibration(0.00, -3.78, 0, 0, 1.97, 0, 33.48, -3.17));

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
