package io.hiroba.records;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A change of a schema or of one of its attributes; what is null stays.
 *
 * @param title the name that pages show; empty for none
 * @param initial the default, as in the API; JSON null for none
 * @param reuse whether a name is taken that still leads to what had it before
 * @param format the name of the format; empty for none
 * @param currency that of amounts of money
 */
public record AttributeChange(
        @Nullable String name,
        @Nullable String title,
        @Nullable Boolean required,
        @Nullable Boolean unique,
        @Nullable JsonNode initial,
        boolean reuse,
        @Nullable String format,
        @Nullable String currency) {

    /** A change of the name and title. */
    public AttributeChange(@Nullable String name, @Nullable String title, boolean reuse) {
        this(name, title, null, null, null, reuse, null, null);
    }

    /** The name and the title of it alone. */
    AttributeChange ofNames() {
        return new AttributeChange(name, title, reuse);
    }

    /** An attribute of whose values no more is asked that is given up. */
    SchemaAttribute relaxed(SchemaAttribute attribute) {
        return attribute.constrained(
                attribute.required() && !Boolean.FALSE.equals(required),
                attribute.unique() && !Boolean.FALSE.equals(unique),
                initial == null ? attribute.initial() : null);
    }

    /** Whether something is asked of values. */
    boolean constrains() {
        return Boolean.TRUE.equals(required) || Boolean.TRUE.equals(unique) || (initial != null && !initial.isNull());
    }

    /** A change of what values must be. */
    public static AttributeChange ofConstraints(
            @Nullable Boolean required, @Nullable Boolean unique, @Nullable JsonNode initial) {
        return new AttributeChange(null, null, required, unique, initial, false, null, null);
    }

    /** A change of the format; empty for none. */
    public static AttributeChange ofFormat(String format, @Nullable String currency) {
        return new AttributeChange(null, null, null, null, null, false, format, currency);
    }
}
