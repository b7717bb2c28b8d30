package io.hiroba.records;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An attribute of a schema.
 *
 * @param id tells the type and the place in documents
 * @param required every record has it
 * @param unique no two records of the schema have the same
 * @param initial what a new record gets that comes without it, as documents hold it
 * @param options the only values that it may have, as documents hold them; empty for any
 * @param min the smallest number or moment, or a text's fewest characters, as documents hold it
 * @param max likewise the largest
 * @param pattern what a text must match as a whole
 * @param prefixSearch whether it is searched by beginnings; the text index serves that in any case
 * @param references the schema whose records it refers to, by id
 */
public record SchemaAttribute(
        short id,
        String name,
        ValueType type,
        boolean required,
        boolean unique,
        @Nullable JsonNode initial,
        List<JsonNode> options,
        @Nullable JsonNode min,
        @Nullable JsonNode max,
        @Nullable String pattern,
        boolean prefixSearch,
        @Nullable Short references) {

    private static final int TYPES = ValueType.values().length;

    public SchemaAttribute {
        options = List.copyOf(options);
    }

    SchemaAttribute with(@Nullable JsonNode initially, List<JsonNode> only) {
        return new SchemaAttribute(
                id, name, type, required, unique, initially, only, min, max, pattern, prefixSearch, references);
    }

    /** The id of an attribute of {@code type} at {@code place}. */
    public static short id(int place, ValueType type) {
        return (short) (place * TYPES + type.code());
    }

    /** Where its value stands in a document. */
    public int place() {
        return id / TYPES;
    }
}
