package io.hiroba.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A benchmark of contestants that do the same work, measured in turns so that a slow minute of the machine hits all of
 * them. The result is the median rate of each, its ratio to the first, which is the baseline, the processor time of a
 * request, and the median of its ratio to the first's in the same round.
 */
public final class InterleavedBenchmark {

    private static final int ROUNDS = 5;

    private final String work;
    private final String unit;
    private int rounds = ROUNDS;
    private final Map<String, Contestant> contestants = new LinkedHashMap<>();

    private record Contestant(CpuMeter cpu, DoubleSupplier rate) {

        /** Runs the work once. */
        Round round() {
            double cpuBefore = cpu.millis();
            long before = LoadClients.operations();
            double perSecond = rate.getAsDouble();
            long operations = LoadClients.operations() - before;
            return new Round(perSecond, operations == 0 ? Double.NaN : (cpu.millis() - cpuBefore) / operations);
        }
    }

    /** @param cpuMillis the processor time of a request; not a number if it is not known */
    private record Round(double rate, double cpuMillis) {}

    public InterleavedBenchmark(String work, String unit) {
        this.work = work;
        this.unit = unit;
    }

    /** Adds a contestant; {@code rate} runs the work once and returns operations per second. */
    public InterleavedBenchmark with(String name, DoubleSupplier rate) {
        return with(name, CpuMeter.ofThisProgram(), rate);
    }

    /** The same for work that other processes do. */
    public InterleavedBenchmark with(String name, CpuMeter cpu, DoubleSupplier rate) {
        contestants.put(name, new Contestant(cpu, rate));
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
        var measured = new LinkedHashMap<String, List<Round>>();
        for (int round = 0; round <= rounds; round++) {
            for (var contestant : contestants.entrySet()) {
                var result = contestant.getValue().round();
                boolean warmUp = round == 0;
                if (!warmUp) {
                    measured.computeIfAbsent(contestant.getKey(), name -> new ArrayList<>())
                            .add(result);
                }
            }
        }
        double limit = 0;
        var medians = new LinkedHashMap<String, Double>();
        for (var entry : measured.entrySet()) {
            double median = median(entry.getValue(), Round::rate);
            double cpu = median(entry.getValue(), Round::cpuMillis);
            limit = limit == 0 ? median : limit;
            medians.put(entry.getKey(), median);
            double cpuRatio = median(
                    cpuRatios(entry.getValue(), measured.values().iterator().next()), ratio -> ratio);
            new Result(work, entry.getKey(), median, unit, median / limit, cpu, cpuRatio).print();
        }
        return medians;
    }

    private static List<Double> cpuRatios(List<Round> rounds, List<Round> first) {
        return IntStream.range(0, rounds.size())
                .mapToObj(i -> rounds.get(i).cpuMillis() / first.get(i).cpuMillis())
                .toList();
    }

    private static <T> double median(List<T> rounds, ToDoubleFunction<T> figure) {
        return rounds.stream().mapToDouble(figure).sorted().toArray()[rounds.size() / 2];
    }

    /**
     * A row of the result table.
     *
     * @param cpuMillis the processor time of a request; not a number if it is not known
     * @param cpuRatio its ratio to the first contestant's
     */
    public record Result(
            String work, String contestant, double rate, String unit, double ratio, double cpuMillis, double cpuRatio) {

        public Result(String work, String contestant, double rate, String unit, double ratio) {
            this(work, contestant, rate, unit, ratio, Double.NaN, Double.NaN);
        }

        public static String header() {
            return "| work | contestant | rate | ratio to the limit | CPU a request | times the first's |\n|---|---|---:|---:|---:|---:|";
        }

        /** Prints the row to standard output. */
        public void print() {
            var cpu = Double.isNaN(cpuMillis) ? "| " : "%.2f ms | %.2f ".formatted(cpuMillis, cpuRatio);
            System.out.println("| %s | %s | %,.0f %s | %.2f | %s|".formatted(work, contestant, rate, unit, ratio, cpu));
        }
    }
}
