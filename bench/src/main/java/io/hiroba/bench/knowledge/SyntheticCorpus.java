package io.hiroba.bench.knowledge;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Generates texts and vectors, the same in every run: a thousand topics, each with its own direction, and chunks and queries
 * around them.
 */
final class SyntheticCorpus {

    static final int DIMENSIONS = 384;

    private static final int TOPICS = 1000;
    private static final int WORDS = 20_000;
    private static final int WORDS_A_CHUNK = 60;
    private static final double SPREAD = 0.6;

    private final float[][] topics = new float[TOPICS][];

    SyntheticCorpus() {
        for (int topic = 0; topic < TOPICS; topic++) {
            topics[topic] = gaussian(new Random(topic));
        }
    }

    private static float[] gaussian(Random random) {
        var vector = new float[DIMENSIONS];
        for (int i = 0; i < DIMENSIONS; i++) {
            vector[i] = (float) random.nextGaussian();
        }
        return vector;
    }

    /** The vector of a chunk or, with a negative number, of a query. */
    float[] vector(long number) {
        var random = new Random(number * 31 + 7);
        var topic = topics[random.nextInt(TOPICS)];
        var noise = gaussian(random);
        var vector = new float[DIMENSIONS];
        for (int i = 0; i < DIMENSIONS; i++) {
            vector[i] = (float) (topic[i] + SPREAD * noise[i]);
        }
        return vector;
    }

    /** Words with a skewed distribution, as in real texts. */
    String text(long number) {
        var random = new Random(number);
        return IntStream.range(0, WORDS_A_CHUNK).mapToObj(i -> word(random)).collect(Collectors.joining(" "));
    }

    private static String word(Random random) {
        return "w" + (int) Math.pow(WORDS, random.nextDouble());
    }

    /** A query of words from one chunk. */
    String query(long number, int chunks) {
        var words = text(Math.floorMod(number * 7919, chunks)).split(" ", -1);
        return IntStream.range(0, 4).mapToObj(i -> words[i * 13]).collect(Collectors.joining(" "));
    }
}
