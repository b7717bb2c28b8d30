package io.hiroba.knowledge.search;

import io.hiroba.knowledge.ChunkId;

/**
 * What speaks for and against a chunk as the answer to a query, in numbers that a {@link Calibration} weighs.
 *
 * @param signals always 1; the similarity; whether the chunk is in another language; the share of the query's weight
 *     that the terms have which it contains, and its square; how much more it is about the terms than the fourth best
 *     candidate; the share of the query's numbers and codes that it does not contain
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Evidence(ChunkId chunk, double[] signals) {

    /** The number of signals. */
    public static final int SIGNALS = 7;

    /** The share of the query's weight that the terms have which the chunk contains. */
    double covered() {
        return signals[3];
    }
}
