package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.records.ProjectId;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.Schema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of the indexes on this node that queries may use. An index that is to go is not among them for longer than
 * any node remembers before it is dropped, so no query is left looking for it.
 */
public final class HotIndexes {

    /** For so long a node may take an index for there. */
    static final Duration REMEMBERED = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(HotIndexes.class);
    private static final int MAX_KNOWN = 1000;

    private final Db db;
    private final HotIndexStore store = new HotIndexStore();
    private final Map<ProjectId, Known> known = new ConcurrentHashMap<>();

    private record Known(List<HotIndexStore.Row> rows, long at) {

        boolean isOld() {
            return System.nanoTime() - at > REMEMBERED.toNanos() / 2;
        }

        boolean isOver() {
            return System.nanoTime() - at > REMEMBERED.toNanos();
        }
    }

    public HotIndexes(Db db) {
        this.db = db;
    }

    /** The indexes of the schema's documents that are there and whole. */
    public List<HotIndex> of(ProjectTables tables, Schema schema) {
        var found = known.get(tables.project());
        if (found == null || found.isOver()) {
            found = renewed(tables);
        } else if (found.isOld()) {
            renewBehind(tables, found);
        }
        return found.rows().isEmpty()
                ? List.of()
                : found.rows().stream()
                        .filter(row -> row.schema() == schema.id())
                        .flatMap(row -> row.index(schema).stream())
                        .toList();
    }

    private void renewBehind(ProjectTables tables, Known old) {
        // One caller renews it; the others take what is there.
        if (known.replace(tables.project(), old, new Known(old.rows(), System.nanoTime()))) {
            Thread.startVirtualThread(() -> {
                try {
                    renewed(tables);
                } catch (DbException e) {
                    known.remove(tables.project());
                    log.debug("the indexes of project {} are not known", tables.project(), e);
                }
            });
        }
    }

    private Known renewed(ProjectTables tables) {
        long at = System.nanoTime();
        var rows = new Known(db.read(reads -> store.ready(reads, tables)), at);
        if (known.size() >= MAX_KNOWN) {
            known.clear();
        }
        known.put(tables.project(), rows);
        return rows;
    }
}
