package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.ProjectId;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.Schema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of statistics on this node. A lookup never waits for a sample: statistics that are used are refreshed in the
 * background, others cost nothing.
 */
public final class Statistics implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Statistics.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final long FRESH = Duration.ofSeconds(10).toNanos();
    private static final int MAX_KNOWN = 1000;

    private final StatisticsSampler survey;
    private final Map<Which, Known> known = new ConcurrentHashMap<>();
    private final Map<Which, Wanted> wanted = new ConcurrentHashMap<>();
    private @Nullable WorkLoop loop;

    private record Which(ProjectId project, short schema) {}

    private record Known(SchemaStatistics statistics, long at) {}

    private record Wanted(ProjectTables tables, Schema schema) {}

    public Statistics(Db db) {
        this.survey = new StatisticsSampler(db);
    }

    /** Starts to refresh the statistics that are used. */
    public Statistics start() {
        loop = WorkLoop.every(INTERVAL, "records statistics", this::refreshUsed);
        return this;
    }

    /** The statistics of the schema; defaults until it was sampled. */
    public SchemaStatistics of(ProjectTables tables, Schema schema) {
        var which = new Which(tables.project(), schema.id());
        var found = known.get(which);
        if (found == null || System.nanoTime() - found.at() > FRESH) {
            wanted.putIfAbsent(which, new Wanted(tables, schema));
        }
        return found == null ? cache(which, survey.stored(tables, schema)) : found.statistics();
    }

    /** Samples the schema now, after a bulk load. */
    public void refresh(ProjectTables tables, Schema schema) {
        survey.sample(tables, schema);
        cache(new Which(tables.project(), schema.id()), survey.stored(tables, schema));
    }

    private void refreshUsed() {
        for (var entry : List.copyOf(wanted.entrySet())) {
            wanted.remove(entry.getKey());
            var requested = entry.getValue();
            try {
                survey.renew(requested.tables(), requested.schema());
                cache(entry.getKey(), survey.stored(requested.tables(), requested.schema()));
            } catch (DbException e) {
                // The project may have been deleted. The other schemas are refreshed in any case.
                if (!SqlState.is(e, SqlState.UNDEFINED_TABLE)) {
                    log.warn("records could not be looked through and will be again", e);
                }
            }
        }
    }

    private SchemaStatistics cache(Which which, SchemaStatistics statistics) {
        if (known.size() >= MAX_KNOWN) {
            known.clear();
        }
        known.put(which, new Known(statistics, System.nanoTime()));
        return statistics;
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.close();
        }
    }
}
