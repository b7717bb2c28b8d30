package io.hiroba.records.query;

import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A page of records.
 *
 * @param schema as it was when the records were read
 * @param attributes what is shown of the records, in this order
 * @param joined what is shown of the records that they refer to; each row has as many values
 * @param next the cursor of the next page; none at the end
 * @param count null where none was asked for
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

    /** An attribute of what {@code reference} refers to, shown as {@code reference.attribute}. */
    public record Joined(SchemaAttribute reference, SchemaAttribute attribute) {

        public String name() {
            return reference.name() + "." + attribute.name();
        }
    }

    /** The number of records, exact or by the statistics. */
    public record Counted(long value, boolean exact) {

        /** An estimate says that it is one. */
        public String text() {
            return String.format(Locale.ROOT, exact ? "%,d" : "≥ %,d", value);
        }
    }
}
