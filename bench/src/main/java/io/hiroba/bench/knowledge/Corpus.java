package io.hiroba.bench.knowledge;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Texts and vectors made up, the same in every run: as many topics as a library has shelves, each with words and a direction
 * of its own, and chunks and questions around them.
 */
final class Corpus {

    static final int DIMENSIONS = 384;

    private static final int TOPICS = 1000;
    private static final int WORDS = 20_000;
    private static final int WORDS_A_CHUNK = 60;
    private static final double SPREAD = 0.6;

    private final float[][] topics = new float[TOPICS][];

    Corpus() {
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

    /** The vector of a chunk or, with a number below 0, of a question. */
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

    /** Common words often, and rare ones, as in any text. */
    String text(long number) {
        var random = new Random(number);
        return IntStream.range(0, WORDS_A_CHUNK).mapToObj(i -> word(random)).collect(Collectors.joining(" "));
    }

    private static String word(Random random) {
        return "w" + (int) Math.pow(WORDS, random.nextDouble());
    }

    /** A question of some words that stand in a chunk. */
    String question(long number, int chunks) {
        var words = text(Math.floorMod(number * 7919, chunks)).split(" ", -1);
        return IntStream.range(0, 4).mapToObj(i -> words[i * 13]).collect(Collectors.joining(" "));
    }
}
