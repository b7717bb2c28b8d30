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

/** Measures the effect of an index: times pages all over the order with the built-in index scan and with it, in turns. */
final class IndexMeasurementStore {

    private static final int POSITIONS = 15;
    private static final int TIMEOUT_MILLIS = 5000;
    private static final String CANCELLED = "57014";

    private final Db db;

    IndexMeasurementStore(Db db) {
        this.db = db;
    }

    /** Empty if the attribute has no values to measure with. */
    Optional<StoredIndex.Effect> of(ProjectTables tables, Schema schema, HotIndex index, SchemaStatistics statistics) {
        var starts = statistics.attribute(index.order()).examples(POSITIONS);
        var equals = index.equality() == null
                ? List.<JsonNode>of()
                : statistics.attribute(index.equality()).examples(POSITIONS);
        if (starts.isEmpty() || (index.equality() != null && equals.isEmpty())) {
            return Optional.empty();
        }
        var baselines = new ArrayList<Double>();
        var scans = new ArrayList<Double>();
        for (int i = 0; i < starts.size(); i++) {
            var equal = equals.isEmpty() ? null : equals.get(i % equals.size());
            // The first run warms the cache, the second is timed.
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
                        order.type().isTime()
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

    private double time(String sql, Schema schema, JsonNode from, @Nullable JsonNode equal) {
        try {
            return db.inTransaction(tx -> {
                tx.update("SET LOCAL statement_timeout = " + TIMEOUT_MILLIS).execute();
                tx.update("SET LOCAL enable_memoize = off").execute();
                // The id of the schema is a literal: only then can the planner prove that the partial index applies.
                var query = tx.queryPlannedAnew(sql.replace(":schema", String.valueOf(schema.id())));
                query.bind("start", from.asString());
                if (equal != null) {
                    query.bind("equal", equal.asString());
                }
                long start = System.nanoTime();
                query.mapTo(String.class).list();
                double millis = (System.nanoTime() - start) / 1e6;
                // Flushed at once, so that these scans are not counted as use later.
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
