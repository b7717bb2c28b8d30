package io.hiroba.records.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schema as somebody asks for it.
 *
 * @param aliases further names that lead to it, such as the plural; none leaves those that it has
 */
public record SchemaDefinition(String name, @Nullable List<String> aliases, List<AttributeDefinition> attributes) {

    List<String> further() {
        return aliases == null ? List.of() : aliases;
    }
}
