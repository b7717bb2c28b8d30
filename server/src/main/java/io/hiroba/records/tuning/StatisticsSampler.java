package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.Schema;

/** Samples a schema's records once enough of them have changed, and stores the statistics. */
final class StatisticsSampler {

    /** The sample size that estimates a fraction to within a percent. */
    static final int SAMPLE_SIZE = 30_000;

    /** The maximum number of sampled values, which are in memory at once. */
    private static final int MAX_VALUES = 1_000_000;

    private static final int MIN_SAMPLE = 2_000;
    private static final long MAX_SCANNED = 300_000;
    private static final long MAX_COUNTED = 2_000_000;
    private static final double CHANGED = 0.1;
    private static final int FEW_ROWS = 20;

    private final Db db;
    private final StatisticsStore store = new StatisticsStore();

    StatisticsSampler(Db db) {
        this.db = db;
    }

    SchemaStatistics stored(ProjectTables tables, Schema schema) {
        return db.read(reads -> store.find(reads, tables, schema));
    }

    /** Samples the schema if its statistics are outdated, unless another node does so. */
    void renew(ProjectTables tables, Schema schema) {
        if (due(tables, schema)) {
            db.useTransaction(tx -> {
                // Another node may have sampled it in the meantime.
                if (store.lock(tx, tables, schema) && due(tables, schema)) {
                    sample(tx, tables, schema);
                }
            });
        }
    }

    /** Samples the schema unconditionally. */
    void sample(ProjectTables tables, Schema schema) {
        db.useTransaction(tx -> sample(tx, tables, schema));
    }

    private boolean due(ProjectTables tables, Schema schema) {
        return db.read(reads -> {
            var taken = store.taken(reads, tables, schema);
            if (taken.isEmpty()) {
                return true;
            }
            long since = store.changes(reads, tables) - taken.get().changes();
            return since < 0 || since > FEW_ROWS + CHANGED * taken.get().rows();
        });
    }

    private void sample(Tx tx, ProjectTables tables, Schema schema) {
        // Read before the sample, so that later changes count for the next one.
        long changes = store.changes(tx, tables);
        int size = Math.clamp(MAX_VALUES / Math.max(1, schema.attributes().size()), MIN_SAMPLE, SAMPLE_SIZE);
        long rows = store.count(tx, tables, schema, MAX_COUNTED);
        if (rows < MAX_SCANNED) {
            var sample = store.each(tx, tables, schema, rows <= size ? 1 : (double) size / rows);
            store.save(tx, tables, schema, sample.of((double) rows), sample.size(), changes);
        } else {
            fromPages(tx, tables, schema, size, rows, changes);
        }
    }

    private void fromPages(Tx tx, ProjectTables tables, Schema schema, int size, long rows, long changes) {
        double fraction = Math.min(1, size / Math.max((double) rows, store.planned(tx, tables)));
        var sample = store.pages(tx, tables, schema, fraction);
        if (sample.size() < size / 2 && fraction < 1) {
            // The schema has only a part of the table.
            fraction = Math.min(1, fraction * size / Math.max(1, sample.size()));
            sample = store.pages(tx, tables, schema, fraction);
        }
        double all = rows < MAX_COUNTED ? (double) rows : Math.max((double) rows, sample.size() / fraction);
        store.save(tx, tables, schema, sample.of(all), sample.size(), changes);
    }
}
