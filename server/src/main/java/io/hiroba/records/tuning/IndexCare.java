package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Tables;
import io.hiroba.records.schema.Catalog;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets indexes follow use by themselves, in the projects that allow it. */
public final class IndexCare implements AutoCloseable {

    /** So many uses within {@link Proposals#PERIOD} make an index. */
    static final long ENOUGH = 1000;

    /** An index that nobody used for so long goes. */
    static final Duration UNUSED = Duration.ofDays(30);

    private static final Logger log = LoggerFactory.getLogger(IndexCare.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final Db db;
    private final InstantSource clock;
    private final Indexes indexes;
    private final Proposals proposals;
    private final CareStore store = new CareStore();
    private final IndexStore stored = new IndexStore();
    private final UsageStore usage = new UsageStore();
    private final WorkLoop background;

    public IndexCare(Db db, InstantSource clock, Indexes indexes, Catalog catalog) {
        this.db = db;
        this.clock = clock;
        this.indexes = indexes;
        this.proposals = new Proposals(db, clock, catalog);
        this.background = WorkLoop.every(PAUSE, "records index care", this::look);
    }

    /** All of it can be done twice, by two nodes at once. */
    void look() {
        var now = clock.instant();
        db.useTransaction(tx -> store.noteScans(tx, now));
        db.useTransaction(tx -> store.dropUnused(tx, now.minus(UNUSED), now));
        db.useTransaction(tx -> usage.deleteBefore(tx, now.minus(UNUSED)));
        db.read(store::automatic).forEach(this::propose);
    }

    private void propose(Tables tables) {
        var existing = db.read(reads -> stored.of(reads, tables.project()));
        for (var proposal : proposals.of(tables, existing)) {
            if (proposal.uses() >= ENOUGH) {
                try {
                    db.useTransaction(tx ->
                            indexes.want(tx, tables, proposal.schema(), proposal.index(), proposal.reason(), null));
                } catch (RecordsProblem enough) {
                    log.debug("no index {}: {}", proposal.index().name(), enough.detail());
                }
            }
        }
    }

    @Override
    public void close() {
        background.close();
    }
}
