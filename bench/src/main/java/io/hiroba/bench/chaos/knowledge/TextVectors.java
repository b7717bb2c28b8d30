package io.hiroba.bench.chaos.knowledge;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Computes deterministic vectors of texts, far from those of other texts. */
final class TextVectors {

    static final int DIMENSIONS = 32;

    private static final double SAME = 0.999;

    private TextVectors() {}

    static List<Float> of(String text) {
        long seed = 0;
        for (int i = 0; i < text.length(); i++) {
            seed = new SplittableRandom(seed + text.charAt(i)).nextLong();
        }
        var random = new SplittableRandom(seed);
        var vector = new ArrayList<Float>();
        for (int i = 0; i < DIMENSIONS; i++) {
            vector.add((float) random.nextDouble(-1, 1));
        }
        return vector;
    }

    /** Whether a stored vector, which is normalized and rounded, is that of {@code text}. */
    static boolean isOf(List<Float> vector, String text) {
        return vector.size() == DIMENSIONS && similarity(vector, of(text)) > SAME;
    }

    private static double similarity(List<Float> one, List<Float> other) {
        double product = 0;
        double squares = 0;
        double otherSquares = 0;
        for (int i = 0; i < one.size(); i++) {
            product += (double) one.get(i) * other.get(i);
            squares += (double) one.get(i) * one.get(i);
            otherSquares += (double) other.get(i) * other.get(i);
        }
        return product / Math.sqrt(squares * otherSquares);
    }
}
