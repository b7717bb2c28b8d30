package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Measures the effect of an index: times the same pages by the built-in index scan and by it, in turns, all over the order. */
final class IndexMeasurementStore {

    private static final int PLACES = 15;
    private static final int TIMEOUT_MILLIS = 5000;
    private static final String CANCELLED = "57014";

    private final Db db;

    IndexMeasurementStore(Db db) {
        this.db = db;
    }

    /** Empty if there is nothing to look for. */
    Optional<StoredIndex.Effect> of(ProjectTables tables, Schema schema, HotIndex index, SchemaStatistics statistics) {
        var starts = statistics.attribute(index.order()).examples(PLACES);
        var equals = index.equality() == null
                ? List.<JsonNode>of()
                : statistics.attribute(index.equality()).examples(PLACES);
        if (starts.isEmpty() || (index.equality() != null && equals.isEmpty())) {
            return Optional.empty();
        }
        var baselines = new ArrayList<Double>();
        var scans = new ArrayList<Double>();
        for (int i = 0; i < starts.size(); i++) {
            var equal = equals.isEmpty() ? null : equals.get(i % equals.size());
            // Once to bring the pages into memory, and once to be timed.
            time(baseline(tables, index), schema, starts.get(i), equal);
            time(scan(tables, index), schema, starts.get(i), equal);
            baselines.add(time(baseline(tables, index), schema, starts.get(i), equal));
            scans.add(time(scan(tables, index), schema, starts.get(i), equal));
        }
        return Optional.of(new StoredIndex.Effect(median(baselines), median(scans)));
    }

    private static String baseline(ProjectTables tables, HotIndex index) {
        var order = index.order();
        return """
                SELECT d.doc
                FROM %1$s AS e
                CROSS JOIN LATERAL (
                    SELECT r.doc FROM %2$s AS r WHERE r.schema_id = :schema AND r.row_id = e.row_id%3$s OFFSET 0
                ) AS d
                WHERE e.schema_id = :schema AND e.attr_id = %4$d AND e.%5$s IS NOT NULL AND e.%5$s >= %6$s
                ORDER BY e.%5$s, e.row_id
                LIMIT 20
                """.formatted(
                        tables.eav(),
                        tables.records(),
                        equality(index),
                        order.id(),
                        order.type().column(),
                        order.type() == ValueType.DATE
                                ? "records.moment(CAST(:start AS bigint))"
                                : typed(order, ":start", ValueType.INDEXED_TEXT));
    }

    private static String scan(ProjectTables tables, HotIndex index) {
        return """
                SELECT r.doc FROM %1$s AS r
                WHERE r.schema_id = :schema AND %2$s >= %3$s%4$s
                ORDER BY %2$s, r.row_id
                LIMIT 20
                """.formatted(
                        tables.records(),
                        index.orderSql("r.doc"),
                        typed(index.order(), ":start", ValueType.INDEXED_TEXT),
                        equality(index));
    }

    private static String equality(HotIndex index) {
        return index.equality() == null
                ? ""
                : " AND %s = %s"
                        .formatted(
                                index.equalitySql("r.doc"), typed(index.equality(), ":equal", HotIndex.EQUALITY_TEXT));
    }

    private static String typed(SchemaAttribute attribute, String parameter, int characters) {
        return attribute.type() == ValueType.TEXT
                ? "left(CAST(%s AS text), %d)".formatted(parameter, characters)
                : "CAST(%s AS %s)".formatted(parameter, attribute.type().sqlType());
    }

    private double time(String sql, Schema schema, JsonNode start, @Nullable JsonNode equal) {
        try {
            return db.inTransaction(tx -> {
                tx.update("SET LOCAL statement_timeout = " + TIMEOUT_MILLIS).execute();
                tx.update("SET LOCAL enable_memoize = off").execute();
                // The schema's id in the text: only then is it certain that an index of this schema alone may be used.
                var query = tx.queryPlannedAnew(sql.replace(":schema", String.valueOf(schema.id())));
                query.bind("start", start.asString());
                if (equal != null) {
                    query.bind("equal", equal.asString());
                }
                long begun = System.nanoTime();
                query.mapTo(String.class).list();
                double millis = (System.nanoTime() - begun) / 1e6;
                // Counted at once, so that nobody takes it for use later.
                tx.query("SELECT CAST(pg_stat_force_next_flush() AS text)")
                        .mapTo(String.class)
                        .list();
                return millis;
            });
        } catch (DbException e) {
            if (SqlState.is(e, CANCELLED)) {
                return TIMEOUT_MILLIS;
            }
            throw e;
        }
    }

    private static double median(List<Double> times) {
        return times.stream().sorted().toList().get(times.size() / 2);
    }
}
