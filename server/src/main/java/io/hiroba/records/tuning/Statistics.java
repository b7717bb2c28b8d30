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
 * A cache of statistics on this node. Asking never waits for a sample: what is asked for is brought up to date in the
 * background, and what nobody asks for costs nothing.
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

    /** Begins to keep the statistics that are asked for up to date. */
    public Statistics start() {
        loop = WorkLoop.every(INTERVAL, "records statistics", this::renewWanted);
        return this;
    }

    /** What is known of the schema's records; guesses until they were looked through. */
    public SchemaStatistics of(ProjectTables tables, Schema schema) {
        var which = new Which(tables.project(), schema.id());
        var found = known.get(which);
        if (found == null || System.nanoTime() - found.at() > FRESH) {
            wanted.putIfAbsent(which, new Wanted(tables, schema));
        }
        return found == null ? remember(which, survey.stored(tables, schema)) : found.statistics();
    }

    /** Looks through the schema's records now: so many came at once that what was known of them is worth nothing. */
    public void refresh(ProjectTables tables, Schema schema) {
        survey.take(tables, schema);
        remember(new Which(tables.project(), schema.id()), survey.stored(tables, schema));
    }

    private void renewWanted() {
        for (var entry : List.copyOf(wanted.entrySet())) {
            wanted.remove(entry.getKey());
            var requested = entry.getValue();
            try {
                survey.renew(requested.tables(), requested.schema());
                remember(entry.getKey(), survey.stored(requested.tables(), requested.schema()));
            } catch (DbException e) {
                // Of a project that was deleted meanwhile nothing is left to look through. Others go on in any case.
                if (!SqlState.is(e, SqlState.UNDEFINED_TABLE)) {
                    log.warn("records could not be looked through and will be again", e);
                }
            }
        }
    }

    private SchemaStatistics remember(Which which, SchemaStatistics statistics) {
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
