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
 */
public record AttributeDefinition(
        String name,
        String type,
        @Nullable Boolean required,
        @Nullable Boolean unique,
        @JsonProperty("default") @Nullable JsonNode initial,
        @JsonProperty("enum") @Nullable List<JsonNode> options,
        @Nullable JsonNode min,
        @Nullable JsonNode max,
        @Nullable String pattern,
        @Nullable Boolean prefixSearch,
        @Nullable String references) {

    boolean isRequired() {
        return Boolean.TRUE.equals(required);
    }

    boolean isUnique() {
        return Boolean.TRUE.equals(unique);
    }
}
