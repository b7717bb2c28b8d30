package io.hiroba.records.tuning;

import io.hiroba.records.ProjectTables;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * An index on the documents of one schema: by {@code equality} if given, then by {@code order}, then by row id. A query
 * uses it if it contains the exact expressions of {@link #equalitySql} and {@link #orderSql} and the id of the schema.
 *
 * @param equality the attribute that queries compare for equality; null for none
 */
public record HotIndex(@Nullable SchemaAttribute equality, SchemaAttribute order, String name) {

    /**
     * The length of the indexed prefix of an equality text. Two whole texts may exceed the maximum size of an index
     * entry, and the record could not be written.
     */
    public static final int EQUALITY_TEXT = 100;

    static HotIndex of(ProjectTables tables, Schema schema, @Nullable SchemaAttribute equality, SchemaAttribute order) {
        var name = "hot_%s%d_%d_%s"
                .formatted(equality == null ? "" : equality.id() + "_", order.id(), schema.id(), tables.suffix());
        return new HotIndex(equality, order, name);
    }

    /** The expression of the order over {@code doc}: the first 500 characters of a text, or the value. */
    public String orderSql(String doc) {
        return expression(order, doc, ValueType.INDEXED_TEXT);
    }

    /**
     * The expression over {@code doc} that is compared for equality: the first 100 characters of a text, so that the
     * whole text is compared too, or the value.
     */
    public String equalitySql(String doc) {
        return equality == null ? "" : expression(equality, doc, EQUALITY_TEXT);
    }

    private static String expression(SchemaAttribute attribute, String doc, int characters) {
        var value = "%s ->> %d".formatted(doc, attribute.place());
        return switch (attribute.type()) {
            case TEXT -> "left(%s, %d) COLLATE \"C\"".formatted(value, characters);
            case NUMERIC, DATE, DATETIME, BOOL ->
                "CAST(%s AS %s)".formatted(value, attribute.type().sqlType());
            case JSONB, MULTI_SELECT -> throw new IllegalArgumentException("no index orders JSON");
        };
    }
}
