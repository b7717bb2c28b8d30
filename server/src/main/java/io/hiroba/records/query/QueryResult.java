package io.hiroba.records.query;

import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A page of records.
 *
 * @param schema the schema at the time of the read
 * @param attributes the attributes of the result, in order
 * @param joined the attributes of referenced records; each row has a value for each
 * @param next the cursor of the next page; null at the end
 * @param count null if not requested
 */
public record QueryResult(
        Schema schema,
        List<SchemaAttribute> attributes,
        List<Joined> joined,
        List<ResultRow> rows,
        @Nullable String next,
        @Nullable Counted count) {

    public QueryResult {
        attributes = List.copyOf(attributes);
        joined = List.copyOf(joined);
        rows = List.copyOf(rows);
    }

    /** An attribute of the record that {@code reference} refers to, named {@code reference.attribute}. */
    public record Joined(SchemaAttribute reference, SchemaAttribute attribute) {

        public String name() {
            return reference.name() + "." + attribute.name();
        }
    }

    /** The number of records, exact or an estimate to two digits. */
    public record Counted(long value, boolean exact) {

        /** In digits, with a sign where it is about that many. */
        public String text() {
            return String.format(Locale.ROOT, exact ? "%,d" : "≈ %,d", value);
        }
    }
}
