package io.hiroba.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * A benchmark of contestants that do the same work, measured in turns so that a slow minute of the machine hits all of
 * them. The result is the median rate of each and its ratio to the first, which is the baseline.
 */
public final class InterleavedBenchmark {

    private static final int ROUNDS = 5;

    private final String work;
    private final String unit;
    private int rounds = ROUNDS;
    private final Map<String, DoubleSupplier> contestants = new LinkedHashMap<>();

    public InterleavedBenchmark(String work, String unit) {
        this.work = work;
        this.unit = unit;
    }

    /** Adds a contestant; {@code rate} runs the work once and returns operations per second. */
    public InterleavedBenchmark with(String name, DoubleSupplier rate) {
        contestants.put(name, rate);
        return this;
    }

    /** Uses the median of three rounds instead of five, for slow work. */
    public InterleavedBenchmark inThreeRounds() {
        rounds = 3;
        return this;
    }

    /** Runs all rounds, prints a line per contestant and returns the medians. */
    public Map<String, Double> run() {
        System.err.println("· " + work);
        var rates = new LinkedHashMap<String, List<Double>>();
        for (int round = 0; round <= rounds; round++) {
            for (var contestant : contestants.entrySet()) {
                double rate = contestant.getValue().getAsDouble();
                boolean warmUp = round == 0;
                if (!warmUp) {
                    rates.computeIfAbsent(contestant.getKey(), name -> new ArrayList<>())
                            .add(rate);
                }
            }
        }
        double limit = 0;
        var medians = new LinkedHashMap<String, Double>();
        for (var entry : rates.entrySet()) {
            double median = median(entry.getValue());
            limit = limit == 0 ? median : limit;
            medians.put(entry.getKey(), median);
            new Result(work, entry.getKey(), median, unit, median / limit).print();
        }
        return medians;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /** A row of the result table. */
    public record Result(String work, String contestant, double rate, String unit, double ratio) {

        public static String header() {
            return "| work | contestant | rate | ratio to the limit |\n|---|---|---:|---:|";
        }

        /** Prints the row to standard output. */
        public void print() {
            System.out.println("| %s | %s | %,.0f %s | %.2f |".formatted(work, contestant, rate, unit, ratio));
        }
    }
}
