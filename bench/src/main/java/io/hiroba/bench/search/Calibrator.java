package io.hiroba.bench.search;

import io.hiroba.knowledge.search.Evidence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Fits the weights of signals to judged questions. First by how probable the right passages are among all candidates and the answer
 * that there is none; then these sums become probabilities; last, the floor is the highest one that hides hardly any right passage.
 */
final class Calibrator {

    /** The share of questions that may lose the right passage of their first page: people see what is no answer, not what is hidden. */
    private static final double MAX_HIDDEN = 0.02;

    private static final int FIRST_PAGE = 5;
    private static final double HIGHEST_FLOOR = 0.3;
    private static final double FLOOR_STEP = 0.005;

    private static final double PENALTY = 0.003;
    private static final int STEPS = 3_000;
    private static final double RATE = 0.03;

    /**
     * A question's candidates.
     *
     * @param right whether each answers the question; none does if there is no answer
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Example(List<double[]> signals, boolean[] right) {

        static Example of(SearchQuestion question, List<Evidence> evidence, SearchJudge judge) {
            var kept = evidence.stream()
                    .filter(each -> judge.grade(question, each.chunk().value()) != SearchJudge.RELATED)
                    .toList();
            var right = new boolean[kept.size()];
            for (int i = 0; i < right.length; i++) {
                right[i] = judge.grade(question, kept.get(i).chunk().value()) == SearchJudge.RIGHT;
            }
            return new Example(kept.stream().map(Evidence::signals).toList(), right);
        }

        boolean hasRight() {
            for (boolean each : right) {
                if (each) {
                    return true;
                }
            }
            return false;
        }
    }

    private final int[] used;
    private final double[] mean = new double[Evidence.SIGNALS];
    private final double[] deviation = new double[Evidence.SIGNALS];

    /** @param used the indexes of the signals to weigh, the constant one first */
    Calibrator(int... used) {
        this.used = used;
    }

    /** The floor and the weights, as a line of code. */
    String fit(List<Example> examples, List<Example> unanswerable) {
        var answerable = examples.stream().filter(Example::hasRight).toList();
        var all = new ArrayList<>(answerable);
        all.addAll(unanswerable);
        standardize(all);
        var weights = probabilities(all, ranking(all));
        double floor = floor(examples, unanswerable, weights);
        var line = new StringBuilder("new Calibration(%.3f".formatted(floor));
        for (double weight : weights) {
            line.append(weight == 0 ? ", 0" : ", %.2f".formatted(weight));
        }
        return line.append(")").toString();
    }

    private void standardize(List<Example> examples) {
        var rows = examples.stream().flatMap(each -> each.signals().stream()).toList();
        for (int signal : used) {
            double average =
                    rows.stream().mapToDouble(row -> row[signal]).average().orElse(0);
            mean[signal] = signal == 0 ? 0 : average;
            deviation[signal] = signal == 0
                    ? 1
                    : Math.sqrt(rows.stream()
                                    .mapToDouble(row -> (row[signal] - average) * (row[signal] - average))
                                    .average()
                                    .orElse(0))
                            + 1e-9;
        }
    }

    private double sum(double[] weights, double[] signals) {
        double sum = 0;
        for (int signal : used) {
            sum += weights[signal] * (signals[signal] - mean[signal]) / deviation[signal];
        }
        return sum;
    }

    /** Gradient descent with momentum on the likelihood of the right passages, or of none. */
    private double[] ranking(List<Example> examples) {
        var weights = new double[Evidence.SIGNALS];
        var speed = new double[Evidence.SIGNALS];
        for (int step = 0; step < STEPS; step++) {
            var slope = new double[Evidence.SIGNALS];
            examples.forEach(example -> addSlope(example, weights, slope));
            for (int signal : used) {
                double penalty = signal == 0 ? 0 : 2 * PENALTY * weights[signal];
                speed[signal] = 0.9 * speed[signal] - RATE * (slope[signal] / examples.size() + penalty);
                weights[signal] = bounded(signal, weights[signal] + speed[signal]);
            }
        }
        return weights;
    }

    /** Similarity and words never count against a passage, nor missing numbers for it, however few questions say otherwise. */
    private static double bounded(int signal, double weight) {
        return switch (signal) {
            case 0, 2 -> weight;
            case 6 -> Math.min(0, weight);
            default -> Math.max(0, weight);
        };
    }

    private void addSlope(Example example, double[] weights, double[] slope) {
        var worth = example.signals().stream()
                .mapToDouble(signals -> Math.exp(sum(weights, signals)))
                .toArray();
        double all = 1 + Arrays.stream(worth).sum();
        double right = 0;
        for (int i = 0; i < worth.length; i++) {
            right += example.right()[i] ? worth[i] : 0;
        }
        for (int i = 0; i < worth.length; i++) {
            double wanted = example.right()[i] ? worth[i] / right : 0;
            for (int signal : used) {
                slope[signal] += (worth[i] / all - wanted)
                        * (example.signals().get(i)[signal] - mean[signal])
                        / deviation[signal];
            }
        }
    }

    /** Scales the sums so that the logistic function makes the probability to be right of them; for signals as they are. */
    private double[] probabilities(List<Example> examples, double[] ranking) {
        var sums = examples.stream()
                .map(example -> example.signals().stream()
                        .mapToDouble(signals -> sum(ranking, signals))
                        .toArray())
                .toList();
        double scale = 1;
        double shift = 0;
        for (int step = 0; step < STEPS; step++) {
            double scaleSlope = 0;
            double shiftSlope = 0;
            for (int i = 0; i < sums.size(); i++) {
                var right = examples.get(i).right();
                for (int j = 0; j < right.length; j++) {
                    double sum = sums.get(i)[j];
                    double error = 1 / (1 + Math.exp(-scale * sum - shift)) - (right[j] ? 1 : 0);
                    scaleSlope += error * sum;
                    shiftSlope += error;
                }
            }
            scale -= 0.02 * scaleSlope / examples.size();
            shift -= 0.2 * shiftSlope / examples.size();
        }
        var weights = new double[Evidence.SIGNALS];
        weights[0] = shift;
        for (int signal : used) {
            weights[signal] += scale * ranking[signal] / deviation[signal];
            weights[0] -= signal == 0 ? 0 : weights[signal] * mean[signal];
        }
        return weights;
    }

    /** The highest floor that hides the right passages of no more questions than may be; prints what others would do. */
    private static double floor(List<Example> answerable, List<Example> unanswerable, double[] weights) {
        var right = answerable.stream()
                .map(example -> best(example, weights))
                .filter(Best::isOnFirstPage)
                .map(Best::probability)
                .toList();
        var wrong = unanswerable.stream()
                .map(example -> best(example, weights).probability())
                .toList();
        System.out.println("// floor: share of questions that it hides the right passage of, share of false answers");
        double chosen = 0;
        for (double floor = 0; floor <= HIGHEST_FLOOR; floor += FLOOR_STEP) {
            double hidden = (double) (right.size() - above(right, floor)) / answerable.size();
            System.out.printf(
                    "// %.3f: %.3f, %.2f%n", floor, hidden, (double) above(wrong, floor) / Math.max(1, wrong.size()));
            chosen = hidden <= MAX_HIDDEN ? floor : chosen;
        }
        return chosen;
    }

    private static long above(List<Double> probabilities, double floor) {
        return probabilities.stream().filter(each -> each >= floor).count();
    }

    /** @param isOnFirstPage whether a right passage is among the best five */
    private record Best(double probability, boolean isOnFirstPage) {}

    private static Best best(Example example, double[] weights) {
        var probabilities = example.signals().stream()
                .mapToDouble(signals -> probability(signals, weights))
                .toArray();
        var sorted = Arrays.stream(probabilities).sorted().toArray();
        double last = sorted.length == 0 ? 0 : sorted[Math.max(0, sorted.length - FIRST_PAGE)];
        boolean isOnFirstPage =
                IntStream.range(0, probabilities.length).anyMatch(i -> example.right()[i] && probabilities[i] >= last);
        return new Best(sorted.length == 0 ? 0 : sorted[sorted.length - 1], isOnFirstPage);
    }

    private static double probability(double[] signals, double[] weights) {
        double sum = 0;
        for (int signal = 0; signal < weights.length; signal++) {
            sum += weights[signal] * signals[signal];
        }
        return 1 / (1 + Math.exp(-sum));
    }
}
