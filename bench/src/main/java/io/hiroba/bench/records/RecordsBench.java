package io.hiroba.bench.records;

import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.Clients;
import io.hiroba.bench.Contest;
import io.hiroba.bench.Contest.Result;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/** {@code ./hiroba bench records}: pages, writes and space of typed records, against three other ways to store them. */
public final class RecordsBench {

    /** The system property for how many records to fill. */
    public static final String ROWS = "hiroba.bench.rows";

    private static final int CLIENTS = 4;
    private static final int BATCH = 1000;
    private static final int ALIKE = 20;
    private static final int WARM_UP = 3;
    private static final List<Work> GROWING = List.of(Work.RANGE, Work.EXACT, Work.SORTED, Work.TWO, Work.THREE);
    private static final List<Work> TUNED =
            List.of(Work.RANGE, Work.EXACT, Work.SORTED, Work.TWO, Work.THREE, Work.NOT);

    private final long rows;
    private final double seconds;
    private final Data data;
    private final NativeTable table;
    private final TextEav text;
    private final OurRecords ours;
    private final List<Contestant> all;
    private final AtomicLong written = new AtomicLong(1L << 30);

    private RecordsBench(BenchDatabase database, Store store, long rows, double seconds) {
        this.rows = rows;
        this.seconds = seconds;
        table = new NativeTable(database.db());
        text = new TextEav(database.db());
        ours = new OurRecords(store);
        all = List.of(table, ours, new JsonbTable(database.db()), text);
        data = new Data(database.db(), all);
    }

    public static void run() {
        run(Long.getLong(ROWS, 1_000_000), 2);
    }

    /** @param seconds how long each contestant works in each round */
    static void run(long rows, double seconds) {
        try (var database = BenchDatabase.create();
                var store = new Store(database)) {
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
        for (var work : Work.values()) {
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

    /** A contest of those who find different things would mean nothing. */
    private void requireAgreement() {
        for (var work : Work.values()) {
            for (int number = 0; number < (rows > BATCH * 100 ? 2 : ALIKE); number++) {
                var ask = Ask.of(number, rows);
                var expected = table.page(work, ask);
                for (var other : all) {
                    var found = other.page(work, ask);
                    if (!found.equals(expected)) {
                        throw new IllegalStateException("%s finds something else for %s, %s: %s instead of %s"
                                .formatted(other.name(), work, ask, found, expected));
                    }
                }
            }
        }
    }

    /** What is measured is a server that has been running: its code is compiled, and the compiler takes no core any more. */
    private void warmUp() {
        System.err.println("· warming up");
        for (int round = 0; round < WARM_UP; round++) {
            for (var work : Work.values()) {
                rate(table, work);
                rate(ours, work);
            }
        }
    }

    private Map<Work, Map<String, Double>> growth() {
        var rates = new EnumMap<Work, Map<String, Double>>(Work.class);
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

    private void grown(Map<Work, Map<String, Double>> small, Map<Work, Map<String, Double>> large) {
        large.forEach((work, rates) -> rates.forEach((name, rate) -> {
            double before = small.getOrDefault(work, Map.of()).getOrDefault(name, rate);
            var growth = "%s; %,d records against %,d".formatted(work.label(), rows, rows / 10);
            new Result(growth, name, rate, "pages/s", rate / before).print();
        }));
    }

    private double rate(Contestant contestant, Work work) {
        return Clients.rate(CLIENTS, seconds, number -> contestant.page(work, Ask.of(number, data.rows())));
    }

    private void pages(Work work) {
        var contest = new Contest(work.label(), "pages/s").inThreeRounds();
        all.forEach(contestant -> contest.with(contestant.name(), () -> rate(contestant, work)));
        againstText(work.label(), contest.run(), "pages/s");
    }

    private void againstText(String work, Map<String, Double> rates, String unit) {
        double mine = rates.getOrDefault(ours.name(), 0.0);
        double theirs = rates.getOrDefault(text.name(), 1.0);
        new Result(work + "; times one TEXT column", ours.name(), mine, unit, mine / theirs).print();
    }

    private void fetches() {
        var ids = LongStream.range(0, 1000)
                .mapToObj(
                        number -> table.page(Work.UNIQUE, Ask.of(number, rows)).getFirst())
                .toArray(UUID[]::new);
        var contest = new Contest("fetch one record", "records/s").inThreeRounds();
        all.forEach(contestant -> contest.with(
                contestant.name(),
                () -> Clients.rate(CLIENTS, seconds, number -> contestant.fetch(ids[(int) (number % ids.length)]))));
        contest.run();
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

    private void tuned(Work work) {
        new Contest(work.label() + "; with indexes that follow use", "pages/s")
                .inThreeRounds()
                .with(table.name(), () -> rate(table, work))
                .with(ours.name(), () -> rate(ours, work))
                .run();
    }

    private void writes(String work, int batch) {
        var contest = new Contest(work, "records/s").inThreeRounds();
        all.forEach(contestant -> contest.with(
                contestant.name(),
                () -> batch * Clients.rate(CLIENTS, seconds, number -> contestant.insert(items(batch)))));
        contest.run();
    }

    private void loads() {
        int count = (int) Math.min(50_000, rows / 10);
        var contest = new Contest("import %,d".formatted(count), "records/s").inThreeRounds();
        all.forEach(contestant -> contest.with(contestant.name(), () -> {
            var items = items(count);
            long begun = System.nanoTime();
            contestant.load(items);
            return count / ((System.nanoTime() - begun) / 1e9);
        }));
        contest.run();
    }

    private List<Item> items(int count) {
        long from = written.getAndAdd(count);
        return LongStream.range(from, from + count).mapToObj(Item::of).toList();
    }
}
