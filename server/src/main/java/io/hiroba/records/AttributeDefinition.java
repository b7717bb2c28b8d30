package io.hiroba.records;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The definition of an attribute as callers write it, with the referenced schema by name.
 *
 * @param type {@code text}, {@code numeric}, {@code date}, {@code datetime}, {@code bool} or {@code jsonb}
 * @param initial the default
 * @param options the allowed values
 * @param choices the options of a text, with titles and colours; null for those that it has
 * @param format the name of a {@link ValueFormat.Kind}
 * @param currency that of amounts of money
 * @param many whether values are lists: of people, or of records that it refers to
 * @param computed the way in which values are computed; null if they are written, or as it was. The type of a computed attribute may be left
 *     out
 */
public record AttributeDefinition(
        String name,
        @Nullable String type,
        @Nullable Boolean required,
        @Nullable Boolean unique,
        @JsonProperty("default") @Nullable JsonNode initial,
        @JsonProperty("enum") @Nullable List<JsonNode> options,
        @Nullable JsonNode min,
        @Nullable JsonNode max,
        @Nullable String pattern,
        @Nullable Boolean prefixSearch,
        @Nullable String references,
        @JsonProperty("options") @Nullable List<SelectOption> choices,
        @Nullable String format,
        @Nullable String currency,
        @Nullable ComputedDefinition computed,
        @Nullable Boolean many) {

    /** A computed attribute. */
    public static AttributeDefinition ofComputed(String name, @Nullable String type, ComputedDefinition computed) {
        return new AttributeDefinition(
                name, type, null, null, null, null, null, null, null, null, null, null, null, null, computed, null);
    }

    /** A computed attribute as it is. */
    public static AttributeDefinition ofComputed(SchemaAttribute attribute, ComputedDefinition computed) {
        var format = attribute.format();
        return new AttributeDefinition(
                attribute.name(),
                attribute.type().label(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                attribute.prefixSearch(),
                null,
                null,
                format == null ? null : format.kind().label(),
                format == null ? null : format.currency(),
                computed,
                null);
    }

    /** An attribute of which nothing is asked but its type and, unless null, its format. */
    public static AttributeDefinition of(String name, ValueType type, ValueFormat.@Nullable Kind format) {
        return new AttributeDefinition(
                name,
                type.label(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                format == null ? null : format.label(),
                null,
                null,
                null);
    }

    public AttributeDefinition(
            String name,
            String type,
            @Nullable Boolean required,
            @Nullable Boolean unique,
            @Nullable JsonNode initial,
            @Nullable List<JsonNode> options,
            @Nullable JsonNode min,
            @Nullable JsonNode max,
            @Nullable String pattern,
            @Nullable Boolean prefixSearch,
            @Nullable String references) {
        this(
                name,
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
                null,
                null,
                null,
                null,
                null);
    }

    boolean isMany() {
        return Boolean.TRUE.equals(many);
    }

    boolean isRequired() {
        return Boolean.TRUE.equals(required);
    }

    boolean isUnique() {
        return Boolean.TRUE.equals(unique);
    }
}
