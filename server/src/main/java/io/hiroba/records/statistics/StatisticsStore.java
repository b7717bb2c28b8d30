package io.hiroba.records.statistics;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.Tables;
import io.hiroba.records.data.Documents;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.ValueType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Statistics as they are kept. */
final class StatisticsStore {

    private static final ValueType[] TYPES = ValueType.values();

    /** @param changes what pg_stat had counted */
    record Taken(double rows, long changes) {}

    Optional<Taken> taken(Reads reads, Tables tables, Schema schema) {
        return reads.query("""
                SELECT row_count, changes FROM records.samples WHERE project_id = :project AND schema_id = :schema
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema.id())
                .map(row -> new Taken(row.getDouble("row_count"), row.getLong("changes")))
                .findOne();
    }

    SchemaStatistics find(Reads reads, Tables tables, Schema schema) {
        record Known(double rows, short id, AttributeStatistics statistics) {}
        var known = reads.query("""
                SELECT s.row_count, a.attr_id, a.present, a.common, a.others, a.bounds
                FROM records.samples AS s
                JOIN records.statistics AS a ON a.project_id = s.project_id AND a.schema_id = s.schema_id
                WHERE s.project_id = :project AND s.schema_id = :schema
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema.id())
                .map(row -> new Known(row.getDouble("row_count"), row.getShort("attr_id"), statistics(row)))
                .list();
        if (known.isEmpty()) {
            return SchemaStatistics.unknown();
        }
        var attributes = new HashMap<Short, AttributeStatistics>();
        known.forEach(each -> attributes.put(each.id(), each.statistics()));
        return new SchemaStatistics(known.getFirst().rows(), attributes);
    }

    private static AttributeStatistics statistics(ResultSet row) throws SQLException {
        var type = TYPES[row.getShort("attr_id") % TYPES.length];
        var common = new HashMap<Key, Double>();
        for (var pair : Documents.read(row.getString("common"))) {
            var key = Key.of(type, pair.path(0));
            if (key != null) {
                common.put(key, pair.path(1).doubleValue());
            }
        }
        var bounds = new ArrayList<Key>();
        for (var value : Documents.read(row.getString("bounds"))) {
            var key = Key.of(type, value);
            if (key != null) {
                bounds.add(key);
            }
        }
        return new AttributeStatistics(type, row.getDouble("present"), common, row.getDouble("others"), bounds);
    }

    /** False if the project is gone. */
    boolean save(Tx tx, Tables tables, Schema schema, SchemaStatistics statistics, int sampled, long changes) {
        boolean there = tx.update("""
                INSERT INTO records.samples (project_id, schema_id, row_count, sampled, changes)
                SELECT p.id, :schema, :rows, :sampled, :changes FROM records.projects AS p WHERE p.id = :project
                ON CONFLICT (project_id, schema_id) DO UPDATE
                SET row_count = excluded.row_count, sampled = excluded.sampled, changes = excluded.changes,
                    taken_at = excluded.taken_at
                """)
                        .bind("project", tables.project().value())
                        .bind("schema", schema.id())
                        .bind("rows", statistics.rows())
                        .bind("sampled", sampled)
                        .bind("changes", changes)
                        .execute()
                == 1;
        if (there) {
            statistics.attributes().forEach((id, attribute) -> save(tx, tables, schema, id, attribute));
        }
        return there;
    }

    private static void save(Tx tx, Tables tables, Schema schema, short id, AttributeStatistics attribute) {
        tx.update("""
                INSERT INTO records.statistics (project_id, schema_id, attr_id, present, common, others, bounds)
                VALUES (:project, :schema, :attribute, :present, CAST(:common AS jsonb), :others, CAST(:bounds AS jsonb))
                ON CONFLICT (project_id, schema_id, attr_id) DO UPDATE
                SET present = excluded.present, common = excluded.common, others = excluded.others,
                    bounds = excluded.bounds
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema.id())
                .bind("attribute", id)
                .bind("present", attribute.present())
                .bind("common", common(attribute.type(), attribute.common()))
                .bind("others", attribute.others())
                .bind("bounds", bounds(attribute.type(), attribute.bounds()))
                .execute();
    }

    private static String common(ValueType type, Map<Key, Double> common) {
        var array = Documents.exact().createArrayNode();
        common.forEach((key, fraction) -> array.addArray().add(key.stored(type)).add(fraction));
        return Documents.exact().writeValueAsString(array);
    }

    private static String bounds(ValueType type, List<Key> bounds) {
        var array = Documents.exact().createArrayNode();
        bounds.forEach(key -> array.add(key.stored(type)));
        return Documents.exact().writeValueAsString(array);
    }
}
