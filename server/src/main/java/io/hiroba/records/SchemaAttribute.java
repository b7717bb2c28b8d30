package io.hiroba.records;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * An attribute of a schema.
 *
 * @param id encodes the type and the position in documents
 * @param title the name that pages show; null for the name
 * @param required whether every record must have a value
 * @param unique whether the values are unique in the schema
 * @param initial the default of new records, as in documents
 * @param options the allowed values, as in documents; empty for any
 * @param min the minimum of a number or timestamp, or of the length of a text, as in documents
 * @param max the maximum likewise
 * @param pattern the regular expression that a whole text must match
 * @param prefixSearch whether it is searched by prefix; the text index supports that in any case
 * @param references the id of the schema that it refers to
 * @param styles the titles and colours of options that have one
 */
public record SchemaAttribute(
        short id,
        String name,
        @Nullable String title,
        ValueType type,
        boolean required,
        boolean unique,
        @Nullable JsonNode initial,
        List<JsonNode> options,
        @Nullable JsonNode min,
        @Nullable JsonNode max,
        @Nullable String pattern,
        boolean prefixSearch,
        @Nullable Short references,
        List<SelectOption> styles) {

    public SchemaAttribute {
        options = List.copyOf(options);
        styles = List.copyOf(styles);
    }

    /** An attribute whose options are values alone. */
    public SchemaAttribute(
            short id,
            String name,
            @Nullable String title,
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
        this(
                id,
                name,
                title,
                type,
                required,
                unique,
                initial,
                options,
                min,
                max,
                pattern,
                prefixSearch,
                references,
                List.of());
    }

    SchemaAttribute with(@Nullable JsonNode initially, List<JsonNode> only) {
        return new SchemaAttribute(
                id,
                name,
                title,
                type,
                required,
                unique,
                initially,
                only,
                min,
                max,
                pattern,
                prefixSearch,
                references,
                styles);
    }

    SchemaAttribute constrained(boolean mandatory, boolean single, @Nullable JsonNode initially) {
        return new SchemaAttribute(
                id,
                name,
                title,
                type,
                mandatory,
                single,
                initially,
                options,
                min,
                max,
                pattern,
                prefixSearch,
                references,
                styles);
    }

    SchemaAttribute named(String other) {
        return new SchemaAttribute(
                id,
                other,
                title,
                type,
                required,
                unique,
                initial,
                options,
                min,
                max,
                pattern,
                prefixSearch,
                references,
                styles);
    }

    SchemaAttribute titled(@Nullable String other) {
        return new SchemaAttribute(
                id,
                name,
                other,
                type,
                required,
                unique,
                initial,
                options,
                min,
                max,
                pattern,
                prefixSearch,
                references,
                styles);
    }

    /** With other options; what is no option any more is no default either. */
    SchemaAttribute choosing(List<SelectOption> choices, @Nullable JsonNode initially) {
        var values = choices.stream()
                .map(each -> (JsonNode) JsonNodeFactory.instance.stringNode(each.value()))
                .toList();
        return styled(choices).with(initially, values);
    }

    SchemaAttribute styled(List<SelectOption> choices) {
        return new SchemaAttribute(
                id,
                name,
                title,
                type,
                required,
                unique,
                initial,
                options,
                min,
                max,
                pattern,
                prefixSearch,
                references,
                choices.stream().filter(SelectOption::isStyled).toList());
    }

    /** Whether it is a text of which options are chosen. */
    public boolean isSelect() {
        return type == ValueType.TEXT && !options.isEmpty();
    }

    /** The options of a text in their order. */
    public List<SelectOption> choices() {
        return isSelect()
                ? options.stream().map(each -> choice(each.stringValue())).toList()
                : List.of();
    }

    /** The option of a value, whether it is one or not. */
    public SelectOption choice(String value) {
        return styles.stream()
                .filter(each -> each.value().equals(value))
                .findFirst()
                .orElseGet(() -> new SelectOption(value, null, null));
    }

    /** The name that pages show. */
    public String label() {
        return title == null ? name : title;
    }

    /** The id of an attribute of {@code type} at {@code place}. */
    public static short id(int place, ValueType type) {
        return (short) (place * ValueType.STORAGE_CLASSES + type.code());
    }

    /** The position of its value in a document. */
    public int place() {
        return id / ValueType.STORAGE_CLASSES;
    }
}
