package io.hiroba.records;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a schema as callers write it.
 *
 * @param aliases further names that lead to it, such as the plural; none leaves those that it has
 */
public record SchemaDefinition(String name, @Nullable List<String> aliases, List<AttributeDefinition> attributes) {

    List<String> further() {
        return aliases == null ? List.of() : aliases;
    }
}
