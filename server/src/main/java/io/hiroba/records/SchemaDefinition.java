package io.hiroba.records;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a schema as callers write it.
 *
 * @param aliases further names, such as the plural; null keeps the existing ones
 */
public record SchemaDefinition(String name, @Nullable List<String> aliases, List<AttributeDefinition> attributes) {

    public SchemaDefinition {
        name = SchemaNames.normalized(name);
        aliases = aliases == null
                ? null
                : aliases.stream().map(SchemaNames::normalized).toList();
    }

    List<String> further() {
        return aliases == null ? List.of() : aliases;
    }
}
