package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.Tables;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Schema;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts how queries use attributes. Noting a use costs a query nothing that could be measured; what was noted is written
 * every few seconds, and a node that dies takes the last few seconds' counts with it.
 */
public final class Usage implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final int MOST_NOTED = 10_000;

    private final Db db;
    private final InstantSource clock;
    private final UsageStore store = new UsageStore();
    private final Map<Use, Counts> noted = new ConcurrentHashMap<>();
    private final WorkLoop background;

    private record Counts(LongAdder filtered, LongAdder sorted, LongAdder prefixed) {

        Counts() {
            this(new LongAdder(), new LongAdder(), new LongAdder());
        }

        void add(UsageStore.Noted more) {
            filtered.add(more.filtered());
            sorted.add(more.sorted());
            prefixed.add(more.prefixed());
        }
    }

    public Usage(Db db, InstantSource clock) {
        this.db = db;
        this.clock = clock;
        this.background = WorkLoop.every(PAUSE, "records usage", this::flush);
    }

    /** A condition compared the attribute's values. */
    public void filtered(Tables tables, Schema schema, Attribute attribute) {
        counts(new Use(tables.project(), schema.id(), attribute.id(), null))
                .filtered()
                .increment();
    }

    /** Records were put in the order of the attribute. */
    public void sorted(Tables tables, Schema schema, Attribute attribute) {
        counts(new Use(tables.project(), schema.id(), attribute.id(), null))
                .sorted()
                .increment();
    }

    /** A condition asked for a beginning of the attribute's texts. */
    public void prefixed(Tables tables, Schema schema, Attribute attribute) {
        counts(new Use(tables.project(), schema.id(), attribute.id(), null))
                .prefixed()
                .increment();
    }

    /** Records with one value of {@code equality} were put in the order of {@code order}. */
    public void together(Tables tables, Schema schema, Attribute equality, Attribute order) {
        counts(new Use(tables.project(), schema.id(), order.id(), equality.id()))
                .sorted()
                .increment();
    }

    private Counts counts(Use use) {
        var known = noted.get(use);
        // A new use may be lost while ten thousand wait to be written.
        return known != null || noted.size() >= MOST_NOTED
                ? known == null ? new Counts() : known
                : noted.computeIfAbsent(use, key -> new Counts());
    }

    /** Writes what was noted. */
    void flush() {
        var batch = new ArrayList<UsageStore.Noted>();
        for (var use : List.copyOf(noted.keySet())) {
            var counts = noted.get(use);
            if (counts != null) {
                var sums = new UsageStore.Noted(
                        use,
                        counts.filtered().sumThenReset(),
                        counts.sorted().sumThenReset(),
                        counts.prefixed().sumThenReset());
                if (sums.isNothing()) {
                    noted.remove(use);
                } else {
                    batch.add(sums);
                }
            }
        }
        if (batch.isEmpty()) {
            return;
        }
        try {
            db.useTransaction(tx -> store.add(tx, clock.instant(), batch));
        } catch (RuntimeException e) {
            batch.forEach(sums -> counts(sums.use()).add(sums));
            throw e;
        }
    }

    @Override
    public void close() {
        background.close();
        flush();
    }
}
