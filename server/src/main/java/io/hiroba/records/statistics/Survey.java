package io.hiroba.records.statistics;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.Tables;
import io.hiroba.records.schema.Schema;

/** Looks through a schema's records once enough of them are others, and stores what it finds. */
final class Survey {

    /** A sample this large tells a fraction to within a percent. */
    static final int SAMPLE = 30_000;

    /** With more attributes fewer records do: all values of a sample are in memory at once. */
    private static final int MOST_VALUES = 1_000_000;

    private static final int FEWEST = 2_000;
    private static final long READ_WHOLE = 300_000;
    private static final long COUNTED = 2_000_000;
    private static final double CHANGED = 0.1;
    private static final int FEW = 20;

    private final Db db;
    private final StatisticsStore store = new StatisticsStore();
    private final SampleStore samples = new SampleStore();

    Survey(Db db) {
        this.db = db;
    }

    SchemaStatistics stored(Tables tables, Schema schema) {
        return db.read(reads -> store.find(reads, tables, schema));
    }

    /** Looks again if it is time; leaves it to another node that does so already. */
    void renew(Tables tables, Schema schema) {
        if (due(tables, schema)) {
            db.useTransaction(tx -> {
                // Somebody else may have been at it in the meantime.
                if (samples.lock(tx, tables, schema) && due(tables, schema)) {
                    take(tx, tables, schema);
                }
            });
        }
    }

    /** Looks again in any case. */
    void take(Tables tables, Schema schema) {
        db.useTransaction(tx -> take(tx, tables, schema));
    }

    private boolean due(Tables tables, Schema schema) {
        return db.read(reads -> {
            var taken = store.taken(reads, tables, schema);
            if (taken.isEmpty()) {
                return true;
            }
            long since = samples.changes(reads, tables) - taken.get().changes();
            return since < 0 || since > FEW + CHANGED * taken.get().rows();
        });
    }

    private void take(Tx tx, Tables tables, Schema schema) {
        // Before the sample: what changes meanwhile is then looked at again, and not missed.
        long changes = samples.changes(tx, tables);
        int size = Math.clamp(MOST_VALUES / Math.max(1, schema.attributes().size()), FEWEST, SAMPLE);
        long rows = samples.count(tx, tables, schema, COUNTED);
        if (rows < READ_WHOLE) {
            var sample = samples.each(tx, tables, schema, rows <= size ? 1 : (double) size / rows);
            store.save(tx, tables, schema, sample.of((double) rows), sample.size(), changes);
        } else {
            fromPages(tx, tables, schema, size, rows, changes);
        }
    }

    private void fromPages(Tx tx, Tables tables, Schema schema, int size, long rows, long changes) {
        double fraction = Math.min(1, size / Math.max((double) rows, samples.planned(tx, tables)));
        var sample = samples.pages(tx, tables, schema, fraction);
        if (sample.size() < size / 2 && fraction < 1) {
            // The schema has but a part of the table.
            fraction = Math.min(1, fraction * size / Math.max(1, sample.size()));
            sample = samples.pages(tx, tables, schema, fraction);
        }
        double all = rows < COUNTED ? (double) rows : Math.max((double) rows, sample.size() / fraction);
        store.save(tx, tables, schema, sample.of(all), sample.size(), changes);
    }
}
