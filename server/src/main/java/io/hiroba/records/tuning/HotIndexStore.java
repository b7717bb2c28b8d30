package io.hiroba.records.tuning;

import io.hiroba.platform.db.Reads;
import io.hiroba.records.Tables;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Schema;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The indexes that are ready for queries. */
final class HotIndexStore {

    record Row(short schema, @Nullable Short equality, short order, String name) {

        /** With its attributes, which {@code schema} has unless it is an old one. */
        Optional<HotIndex> index(Schema of) {
            var by = of.attribute(order);
            var equal = equality == null ? Optional.<Attribute>empty() : of.attribute(equality);
            return by.isEmpty() || (equality != null && equal.isEmpty())
                    ? Optional.empty()
                    : Optional.of(new HotIndex(equal.orElse(null), by.get(), name));
        }
    }

    /** What is said to be ready and is there and valid: somebody may have dropped it by hand. */
    List<Row> ready(Reads reads, Tables tables) {
        return reads.query("""
                SELECT h.schema_id, h.equality_attr, h.order_attr, h.name
                FROM records.hot_indexes AS h
                JOIN pg_class AS c ON c.relname = h.name AND c.relnamespace = CAST('records' AS regnamespace)
                JOIN pg_index AS i ON i.indexrelid = c.oid AND i.indisvalid AND i.indisready
                WHERE h.project_id = :project AND h.state = 'READY'
                ORDER BY h.name
                """)
                .bind("project", tables.project().value())
                .map(row -> {
                    short equality = row.getShort("equality_attr");
                    boolean none = row.wasNull();
                    return new Row(
                            row.getShort("schema_id"),
                            none ? null : (Short) equality,
                            row.getShort("order_attr"),
                            row.getString("name"));
                })
                .list();
    }
}
