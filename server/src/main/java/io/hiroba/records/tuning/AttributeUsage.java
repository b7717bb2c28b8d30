package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
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
 * Counts the use of attributes by queries. Noting a use costs a query nothing that could be measured; what was noted is written
 * every few seconds, and a node that dies takes the last few seconds' counts with it.
 */
public final class AttributeUsage implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final int MAX_NOTED = 10_000;

    private final Db db;
    private final InstantSource clock;
    private final AttributeUsageStore store = new AttributeUsageStore();
    private final Map<AttributeUse, Counts> noted = new ConcurrentHashMap<>();
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

    /** Begins to write the counts every few seconds. */
    public AttributeUsage start() {
        loop = WorkLoop.every(INTERVAL, "records usage", this::flush);
        return this;
    }

    /** A condition compared the attribute's values. */
    public void filtered(ProjectTables tables, Schema schema, SchemaAttribute attribute) {
        counts(new AttributeUse(tables.project(), schema.id(), attribute.id(), null))
                .filtered()
                .increment();
    }

    /** Records were put in the order of the attribute. */
    public void sorted(ProjectTables tables, Schema schema, SchemaAttribute attribute) {
        counts(new AttributeUse(tables.project(), schema.id(), attribute.id(), null))
                .sorted()
                .increment();
    }

    /** A condition asked for a beginning of the attribute's texts. */
    public void prefixed(ProjectTables tables, Schema schema, SchemaAttribute attribute) {
        counts(new AttributeUse(tables.project(), schema.id(), attribute.id(), null))
                .prefixed()
                .increment();
    }

    /** Records with one value of {@code equality} were put in the order of {@code order}. */
    public void together(ProjectTables tables, Schema schema, SchemaAttribute equality, SchemaAttribute order) {
        counts(new AttributeUse(tables.project(), schema.id(), order.id(), equality.id()))
                .sorted()
                .increment();
    }

    private Counts counts(AttributeUse use) {
        var known = noted.get(use);
        // A new use may be lost while ten thousand wait to be written.
        return known != null || noted.size() >= MAX_NOTED
                ? known == null ? new Counts() : known
                : noted.computeIfAbsent(use, key -> new Counts());
    }

    /** Writes what was noted. */
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
        if (loop != null) {
            loop.close();
        }
        flush();
    }
}
