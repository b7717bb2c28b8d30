package io.hiroba.records.tuning;

import io.hiroba.records.ProjectTables;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * An index on the documents of one schema: by {@code equality} if there is one, then by {@code order}, then by row id. A
 * query scans it if it has the very expressions of {@link #equalitySql} and {@link #orderSql}, and the schema's id.
 *
 * @param equality whose value a query compares for equality; none for all records in one order
 */
public record HotIndex(@Nullable SchemaAttribute equality, SchemaAttribute order, String name) {

    /**
     * So much of a text that is compared for equality stands before the order. Two texts whole would not fit into an index
     * entry, and the record could not be written.
     */
    public static final int EQUALITY_TEXT = 100;

    static HotIndex of(ProjectTables tables, Schema schema, @Nullable SchemaAttribute equality, SchemaAttribute order) {
        var name = "hot_%s%d_%d_%s"
                .formatted(equality == null ? "" : equality.id() + "_", order.id(), schema.id(), tables.suffix());
        return new HotIndex(equality, order, name);
    }

    /** The order's expression over the document {@code doc}: a text's first 500 characters, or the value. */
    public String orderSql(String doc) {
        return expression(order, doc, ValueType.INDEXED_TEXT);
    }

    /**
     * The expression over the document {@code doc} that is compared for equality: a text's first 100 characters, so that
     * the whole text is to be compared besides, or the value.
     */
    public String equalitySql(String doc) {
        return equality == null ? "" : expression(equality, doc, EQUALITY_TEXT);
    }

    private static String expression(SchemaAttribute attribute, String doc, int characters) {
        var value = "%s ->> %d".formatted(doc, attribute.place());
        return switch (attribute.type()) {
            case TEXT -> "left(%s, %d) COLLATE \"C\"".formatted(value, characters);
            case NUMERIC, DATE, BOOL ->
                "CAST(%s AS %s)".formatted(value, attribute.type().sqlType());
            case JSONB -> throw new IllegalArgumentException("no index orders JSON");
        };
    }
}
