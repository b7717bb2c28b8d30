package io.hiroba.records;

import java.util.List;
import java.util.function.Consumer;
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
 * @param format what values look like beyond their type; null for none
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
        List<SelectOption> styles,
        @Nullable ValueFormat format) {

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
                List.of(),
                null);
    }

    SchemaAttribute with(@Nullable JsonNode initially, List<JsonNode> only) {
        return changed(draft -> {
            draft.initial = initially;
            draft.options = only;
        });
    }

    SchemaAttribute constrained(boolean mandatory, boolean single, @Nullable JsonNode initially) {
        return changed(draft -> {
            draft.required = mandatory;
            draft.unique = single;
            draft.initial = initially;
        });
    }

    SchemaAttribute named(String other) {
        return changed(draft -> draft.name = other);
    }

    SchemaAttribute titled(@Nullable String other) {
        return changed(draft -> draft.title = other);
    }

    /** With other options; what is no option any more is no default either. */
    SchemaAttribute choosing(List<SelectOption> choices, @Nullable JsonNode initially) {
        var values = choices.stream()
                .map(each -> (JsonNode) JsonNodeFactory.instance.stringNode(each.value()))
                .toList();
        return styled(choices).formatted(choices.isEmpty() ? format : null).with(initially, values);
    }

    SchemaAttribute styled(List<SelectOption> choices) {
        return changed(draft ->
                draft.styles = choices.stream().filter(SelectOption::isStyled).toList());
    }

    SchemaAttribute formatted(@Nullable ValueFormat other) {
        return changed(draft -> {
            draft.max = max == null && other != null ? other.max() : max;
            draft.format = other;
        });
    }

    private SchemaAttribute changed(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return new SchemaAttribute(
                id,
                draft.name,
                draft.title,
                type,
                draft.required,
                draft.unique,
                draft.initial,
                draft.options,
                min,
                draft.max,
                pattern,
                prefixSearch,
                references,
                draft.styles,
                draft.format);
    }

    /** The parts of an attribute of which others can be made. */
    private static final class Draft {

        private String name;
        private @Nullable String title;
        private boolean required;
        private boolean unique;
        private @Nullable JsonNode initial;
        private List<JsonNode> options;
        private @Nullable JsonNode max;
        private List<SelectOption> styles;
        private @Nullable ValueFormat format;

        Draft(SchemaAttribute from) {
            name = from.name;
            title = from.title;
            required = from.required;
            unique = from.unique;
            initial = from.initial;
            options = from.options;
            max = from.max;
            styles = from.styles;
            format = from.format;
        }
    }

    /** Whether its values have a format of this kind. */
    public boolean isFormatted(ValueFormat.Kind kind) {
        return format != null && format.kind() == kind;
    }

    /** Whether the server sets its values, and nobody writes them. */
    public boolean isGenerated() {
        return format != null && format.kind().isGenerated();
    }

    /** A stored value to compare with: that of a reference is the id as documents have it, whatever its case. */
    public JsonNode comparable(JsonNode stored) {
        return references == null
                ? stored
                : RowId.find(stored.asString(""))
                        .<JsonNode>map(id -> JsonNodeFactory.instance.stringNode(id.toString()))
                        .orElse(stored);
    }

    /** Whether its values are ids of people. */
    public boolean isPerson() {
        return isFormatted(ValueFormat.Kind.PERSON)
                || isFormatted(ValueFormat.Kind.CREATED_BY)
                || isFormatted(ValueFormat.Kind.UPDATED_BY);
    }

    /** Whether its values are files. */
    public boolean isAttachments() {
        return isFormatted(ValueFormat.Kind.ATTACHMENTS);
    }

    /** Whether a board can have a lane for each value: an option, yes or no, a record that it refers to, or a person. */
    public boolean isLane() {
        return !isList() && (isSelect() || references != null || isPerson() || type == ValueType.BOOL);
    }

    /** The highest mark of a rating. */
    public int marks() {
        return max == null ? 0 : max.intValue();
    }

    /** Whether it is a text of which options are chosen. */
    public boolean isSelect() {
        return type == ValueType.TEXT && !options.isEmpty();
    }

    /** Whether its values are lists: of options, people or records. */
    public boolean isList() {
        return type == ValueType.MULTI_SELECT;
    }

    /** Whether several options are chosen. */
    public boolean isMultiSelect() {
        return isList() && !isMany();
    }

    /** Whether its values are lists of what a text without options can be: people, or records that it refers to. */
    public boolean isMany() {
        return isList() && (references != null || format != null);
    }

    /** The options of a text or of lists in their order. */
    public List<SelectOption> choices() {
        return isSelect() || isMultiSelect()
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
