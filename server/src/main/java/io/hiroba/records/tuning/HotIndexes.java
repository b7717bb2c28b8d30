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
 * A cache of the indexes on this node that queries may use. Its entries expire before a dropped index is removed from
 * the database, so that no query relies on a missing one.
 */
public final class HotIndexes {

    /** The time for which an entry is used. */
    static final Duration TTL = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(HotIndexes.class);
    private static final int MAX_KNOWN = 1000;

    private final Db db;
    private final HotIndexStore store = new HotIndexStore();
    private final Map<ProjectId, Known> known = new ConcurrentHashMap<>();

    private record Known(List<HotIndexStore.Row> rows, long at) {

        boolean isOld() {
            return System.nanoTime() - at > TTL.toNanos() / 2;
        }

        boolean isExpired() {
            return System.nanoTime() - at > TTL.toNanos();
        }
    }

    public HotIndexes(Db db) {
        this.db = db;
    }

    /** The valid indexes of the schema. */
    public List<HotIndex> of(ProjectTables tables, Schema schema) {
        var found = known.get(tables.project());
        if (found == null || found.isExpired()) {
            found = renewed(tables);
        } else if (found.isOld()) {
            refreshInBackground(tables, found);
        }
        return found.rows().isEmpty()
                ? List.of()
                : found.rows().stream()
                        .filter(row -> row.schema() == schema.id())
                        .flatMap(row -> row.index(schema).stream())
                        .toList();
    }

    private void refreshInBackground(ProjectTables tables, Known old) {
        // One caller refreshes the entry; the others use the old one.
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
