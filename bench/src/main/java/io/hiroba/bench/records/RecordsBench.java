package io.hiroba.bench.records;

import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.InterleavedBenchmark;
import io.hiroba.bench.InterleavedBenchmark.Result;
import io.hiroba.bench.LoadClients;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/** The benchmark of records: pages, writes and disk space, against three other table designs. */
public final class RecordsBench {

    /** The system property for the number of records. */
    public static final String ROWS = "hiroba.bench.rows";

    private static final int CLIENTS = 4;
    private static final int BATCH = 1000;
    private static final int ALIKE = 20;
    private static final int WARM_UP = 3;
    private static final List<RecordWorkload> GROWING = List.of(
            RecordWorkload.RANGE,
            RecordWorkload.EXACT,
            RecordWorkload.SORTED,
            RecordWorkload.TWO,
            RecordWorkload.THREE);
    private static final List<RecordWorkload> TUNED = List.of(
            RecordWorkload.RANGE,
            RecordWorkload.EXACT,
            RecordWorkload.SORTED,
            RecordWorkload.TWO,
            RecordWorkload.THREE,
            RecordWorkload.NOT);

    private final long rows;
    private final double seconds;
    private final RecordsData data;
    private final NativeTable table;
    private final TextEav text;
    private final HirobaRecords ours;
    private final List<StorageDesign> all;
    private final AtomicLong written = new AtomicLong(1L << 30);

    private RecordsBench(BenchDatabase database, RecordsFixture store, long rows, double seconds) {
        this.rows = rows;
        this.seconds = seconds;
        table = new NativeTable(database.db());
        text = new TextEav(database.db());
        ours = new HirobaRecords(store);
        all = List.of(table, ours, new JsonbTable(database.db()), text);
        data = new RecordsData(database.db(), all);
    }

    public static void run() {
        run(Long.getLong(ROWS, 1_000_000), 2);
    }

    /** @param seconds the duration of each contestant's round */
    static void run(long rows, double seconds) {
        try (var database = BenchDatabase.create();
                var store = new RecordsFixture(database)) {
            new RecordsBench(database, store, rows, seconds).measure();
        }
    }

    private void measure() {
        data.growTo(rows / 10);
        warmUp();
        var small = growth();
        data.growTo(rows);
        requireAgreement();
        var large = growth();
        grown(small, large);
        for (var work : RecordWorkload.values()) {
            pages(work);
        }
        fetches();
        space();
        ours.tune();
        for (var work : TUNED) {
            tuned(work);
        }
        writes("insert one", 1);
        writes("insert %,d".formatted(BATCH), BATCH);
        loads();
    }

    /** Checks that all contestants return the same rows; otherwise the comparison means nothing. */
    private void requireAgreement() {
        for (var work : RecordWorkload.values()) {
            for (int number = 0; number < (rows > BATCH * 100 ? 2 : ALIKE); number++) {
                var values = QueryValues.of(number, rows);
                var expected = table.page(work, values);
                for (var other : all) {
                    var found = other.page(work, values);
                    if (!found.equals(expected)) {
                        throw new IllegalStateException("%s finds something else for %s, %s: %s instead of %s"
                                .formatted(other.name(), work, values, found, expected));
                    }
                }
            }
        }
    }

    /** Lets the JIT compile everything before the measurement. */
    private void warmUp() {
        System.err.println("· warming up");
        for (int round = 0; round < WARM_UP; round++) {
            for (var work : RecordWorkload.values()) {
                rate(table, work);
                rate(ours, work);
            }
        }
    }

    private Map<RecordWorkload, Map<String, Double>> growth() {
        var rates = new EnumMap<RecordWorkload, Map<String, Double>>(RecordWorkload.class);
        for (var work : GROWING) {
            var each = new LinkedHashMap<String, Double>();
            for (var contestant : List.of(table, ours)) {
                rate(contestant, work);
                each.put(contestant.name(), rate(contestant, work));
            }
            rates.put(work, each);
        }
        return rates;
    }

    private void grown(Map<RecordWorkload, Map<String, Double>> small, Map<RecordWorkload, Map<String, Double>> large) {
        large.forEach((work, rates) -> rates.forEach((name, rate) -> {
            double before = small.getOrDefault(work, Map.of()).getOrDefault(name, rate);
            var growth = "%s; %,d records against %,d".formatted(work.label(), rows, rows / 10);
            new Result(growth, name, rate, "pages/s", rate / before).print();
        }));
    }

    private double rate(StorageDesign contestant, RecordWorkload work) {
        return LoadClients.rate(CLIENTS, seconds, number -> contestant.page(work, QueryValues.of(number, data.rows())));
    }

    private void pages(RecordWorkload work) {
        var benchmark = new InterleavedBenchmark(work.label(), "pages/s").inThreeRounds();
        all.forEach(contestant -> benchmark.with(contestant.name(), () -> rate(contestant, work)));
        againstText(work.label(), benchmark.run(), "pages/s");
    }

    private void againstText(String work, Map<String, Double> rates, String unit) {
        double mine = rates.getOrDefault(ours.name(), 0.0);
        double theirs = rates.getOrDefault(text.name(), 1.0);
        new Result(work + "; times one TEXT column", ours.name(), mine, unit, mine / theirs).print();
    }

    private void fetches() {
        var ids = LongStream.range(0, 1000)
                .mapToObj(number -> table.page(RecordWorkload.UNIQUE, QueryValues.of(number, rows))
                        .getFirst())
                .toArray(UUID[]::new);
        var benchmark = new InterleavedBenchmark("fetch one record", "records/s").inThreeRounds();
        all.forEach(contestant -> benchmark.with(
                contestant.name(),
                () -> LoadClients.rate(
                        CLIENTS, seconds, number -> contestant.fetch(ids[(int) (number % ids.length)]))));
        benchmark.run();
    }

    private void space() {
        double limit = table.bytes();
        for (var contestant : all) {
            double bytes = contestant.bytes();
            new Result(
                            "space of %,d records".formatted(rows),
                            contestant.name(),
                            bytes / (1 << 20),
                            "MB",
                            bytes / limit)
                    .print();
        }
        double bytes = ours.bytes();
        new Result("space; times one TEXT column", ours.name(), bytes / (1 << 20), "MB", bytes / text.bytes()).print();
    }

    private void tuned(RecordWorkload work) {
        new InterleavedBenchmark(work.label() + "; with indexes that follow use", "pages/s")
                .inThreeRounds()
                .with(table.name(), () -> rate(table, work))
                .with(ours.name(), () -> rate(ours, work))
                .run();
    }

    private void writes(String work, int batch) {
        var benchmark = new InterleavedBenchmark(work, "records/s").inThreeRounds();
        all.forEach(contestant -> benchmark.with(
                contestant.name(),
                () -> batch * LoadClients.rate(CLIENTS, seconds, number -> contestant.insert(items(batch)))));
        benchmark.run();
    }

    private void loads() {
        int count = (int) Math.min(50_000, rows / 10);
        var benchmark = new InterleavedBenchmark("import %,d".formatted(count), "records/s").inThreeRounds();
        all.forEach(contestant -> benchmark.with(contestant.name(), () -> {
            var items = items(count);
            long start = System.nanoTime();
            contestant.load(items);
            return count / ((System.nanoTime() - start) / 1e9);
        }));
        benchmark.run();
    }

    private List<SampleRecord> items(int count) {
        long from = written.getAndAdd(count);
        return LongStream.range(from, from + count).mapToObj(SampleRecord::of).toList();
    }
}
