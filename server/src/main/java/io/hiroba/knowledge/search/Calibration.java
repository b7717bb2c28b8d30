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
            new Calibration(0.04, -20.59, 27.89, -1.31, 0, 3.40, 2.74, -4.31),
            new Key(SearchMode.HYBRID, Script.UNSPACED),
            new Calibration(0.83, -4.71, 1.50, -0.82, 0.40, 0, 40.20, -3.31),
            new Key(SearchMode.VECTOR, Script.SPACED),
            new Calibration(0.02, -23.41, 32.52, -1.59, 0, 0, 0, 0),
            new Key(SearchMode.VECTOR, Script.UNSPACED),
            new Calibration(0.03, -23.96, 24.73, -0.03, 0, 0, 0, 0),
            new Key(SearchMode.KEYWORD, Script.SPACED),
            new Calibration(0.10, -4.21, 0, 0, 0, 5.32, 9.49, -3.66),
            new Key(SearchMode.KEYWORD, Script.UNSPACED),
            new Calibration(0.28, -3.78, 0, 0, 1.97, 0, 33.48, -3.17));

    static Calibration of(SearchMode mode, Script script) {
        return BUILT_IN.getOrDefault(new Key(mode, script), new Calibration(0, new double[Evidence.SIGNALS]));
    }

    /** The floor of a search; that of a hybrid one is no higher than that of the words, or it would lose to them. */
    static double floor(SearchMode mode, Script script) {
        double own = of(mode, script).floor;
        return mode == SearchMode.HYBRID ? Math.min(own, of(SearchMode.KEYWORD, script).floor) : own;
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
