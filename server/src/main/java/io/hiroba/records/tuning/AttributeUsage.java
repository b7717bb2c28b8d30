package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.ProjectId;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts the use of attributes by queries. Counting costs a query next to nothing; counts are flushed every few
 * seconds, and those since the last flush are lost in a crash.
 */
public final class AttributeUsage implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final int MAX_NOTED = 10_000;

    private final Db db;
    private final InstantSource clock;
    private final AttributeUsageStore store = new AttributeUsageStore();
    private final Map<Use, Counts> noted = new ConcurrentHashMap<>();
    private @Nullable WorkLoop loop;

    private record Counts(LongAdder filtered, LongAdder sorted, LongAdder prefixed) {

        Counts() {
            this(new LongAdder(), new LongAdder(), new LongAdder());
        }

        void add(AttributeUsageStore.Noted more) {
            filtered.add(more.filtered());
            sorted.add(more.sorted());
            prefixed.add(more.prefixed());
        }
    }

    public AttributeUsage(Db db, InstantSource clock) {
        this.db = db;
        this.clock = clock;
    }

    /** Starts to flush the counts every few seconds. */
    public AttributeUsage start() {
        loop = WorkLoop.every(INTERVAL, "records usage", this::flush);
        return this;
    }

    /** Counts a condition on the attribute. */
    public void filtered(ProjectTables tables, Schema schema, SchemaAttribute attribute) {
        counts(new Use(tables.project(), schema.id(), attribute.id(), null))
                .filtered()
                .increment();
    }

    /** Counts a sort by the attribute. */
    public void sorted(ProjectTables tables, Schema schema, SchemaAttribute attribute) {
        counts(new Use(tables.project(), schema.id(), attribute.id(), null))
                .sorted()
                .increment();
    }

    /** Counts a prefix condition on the attribute. */
    public void prefixed(ProjectTables tables, Schema schema, SchemaAttribute attribute) {
        counts(new Use(tables.project(), schema.id(), attribute.id(), null))
                .prefixed()
                .increment();
    }

    /** Counts a sort by {@code order} of the records with one value of {@code equality}. */
    public void together(ProjectTables tables, Schema schema, SchemaAttribute equality, SchemaAttribute order) {
        counts(new Use(tables.project(), schema.id(), order.id(), equality.id()))
                .sorted()
                .increment();
    }

    private Counts counts(Use use) {
        var known = noted.get(use);
        // New uses are dropped while ten thousand wait for the flush.
        return known != null || noted.size() >= MAX_NOTED
                ? known == null ? new Counts() : known
                : noted.computeIfAbsent(use, key -> new Counts());
    }

    /** Flushes the counts. */
    void flush() {
        var batch = new ArrayList<AttributeUsageStore.Noted>();
        for (var use : List.copyOf(noted.keySet())) {
            var counts = noted.get(use);
            if (counts != null) {
                var sums = new AttributeUsageStore.Noted(
                        use,
                        counts.filtered().sumThenReset(),
                        counts.sorted().sumThenReset(),
                        counts.prefixed().sumThenReset());
                if (sums.isZero()) {
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
        if (loop != null) {
            loop.close();
        }
        flush();
    }

    /**
     * A counted use of an attribute alone, or as the order of records with an equal value of another.
     *
     * @param equality the id of that other attribute; null for none
     */
    record Use(
            ProjectId project,
            short schema,
            short attribute,
            @Nullable Short equality) {}
}
