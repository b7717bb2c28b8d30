package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaCatalog;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates and drops indexes automatically, in the projects that allow it. */
final class AutoIndexer implements AutoCloseable {

    /** The uses within {@link IndexAdvisor#PERIOD} at which an index is created. */
    static final long MIN_USES = 1000;

    /** The time without use after which an index is dropped. */
    static final Duration UNUSED_AFTER = Duration.ofDays(30);

    private static final Logger log = LoggerFactory.getLogger(AutoIndexer.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final Db db;
    private final InstantSource clock;
    private final Indexes indexes;
    private final IndexAdvisor proposals;
    private final HotIndexStore store = new HotIndexStore();
    private final AttributeUsageStore usage = new AttributeUsageStore();
    private @Nullable WorkLoop loop;

    AutoIndexer(Db db, InstantSource clock, Indexes indexes, SchemaCatalog catalog) {
        this.db = db;
        this.clock = clock;
        this.indexes = indexes;
        this.proposals = new IndexAdvisor(db, clock, catalog);
    }

    /** Starts to create and drop indexes. */
    public AutoIndexer start() {
        loop = WorkLoop.every(INTERVAL, "records auto index", this::adjust);
        return this;
    }

    /** Idempotent: two nodes may do it at once. */
    void adjust() {
        var now = clock.instant();
        db.useTransaction(tx -> store.noteScans(tx, now));
        db.useTransaction(tx -> store.dropUnused(tx, now.minus(UNUSED_AFTER), now));
        db.useTransaction(tx -> usage.deleteBefore(tx, now.minus(UNUSED_AFTER)));
        db.read(store::automatic).forEach(this::propose);
    }

    private void propose(ProjectTables tables) {
        var existing = db.read(reads -> store.of(reads, tables.project()));
        for (var proposal : proposals.of(tables, existing)) {
            if (proposal.uses() >= MIN_USES) {
                try {
                    db.useTransaction(tx ->
                            indexes.request(tx, tables, proposal.schema(), proposal.index(), proposal.reason(), null));
                } catch (RecordsProblem enough) {
                    log.debug("no index {}: {}", proposal.index().name(), enough.detail());
                }
            }
        }
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.close();
        }
    }
}
