package io.hiroba.records;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;

/**
 * Parses JSON Schema documents into definitions. A JSON Schema pattern may match anywhere, ours matches the whole text;
 * integers become numbers. Keywords that cannot be represented are refused rather than ignored.
 */
final class JsonSchemaReader {

    private static final Set<String> REMARKS =
            Set.of("$schema", "$id", "$comment", "title", "description", "examples", "deprecated");
    private static final Set<String> DOCUMENT =
            Set.of("name", "aliases", "type", "properties", "required", "additionalProperties");
    private static final Set<String> PROPERTY = Set.of(
            "type",
            "format",
            "enum",
            "const",
            "minimum",
            "maximum",
            "minLength",
            "maxLength",
            "pattern",
            "default",
            "x-unique",
            "x-references",
            "x-many",
            "x-format",
            "x-prefixSearch");

    private final List<FieldError> errors = new ArrayList<>();

    private JsonSchemaReader() {}

    static boolean isOne(JsonNode body) {
        return body.has("$schema") || body.has("properties");
    }

    /** The definition of {@code document}; without a given name, the title of the document is used. */
    static SchemaDefinition definition(JsonNode document, Optional<String> named) {
        var reader = new JsonSchemaReader();
        var definition = reader.read(document, named);
        if (!reader.errors.isEmpty()) {
            throw RecordsProblem.notRepresentable(reader.errors);
        }
        return definition;
    }

    private SchemaDefinition read(JsonNode document, Optional<String> named) {
        refuseOthers("", document, DOCUMENT);
        if (!document.path("type").asString("object").equals("object")) {
            lost("type", Text.of("records.field.object-type"));
        }
        if (document.has("additionalProperties")
                && !document.path("additionalProperties").equals(BooleanNode.FALSE)) {
            lost("additionalProperties", Text.of("records.field.no-additional"));
        }
        if (!document.path("properties").isObject()) {
            lost("properties", Text.of("records.field.object"));
        }
        var required = new HashSet<String>();
        document.path("required").forEach(name -> required.add(name.asString("")));
        required.stream()
                .filter(name -> !document.path("properties").has(name))
                .forEach(name -> lost("required", Text.of("records.field.names-no-property", "name", name)));
        var attributes = new ArrayList<AttributeDefinition>();
        for (var property : document.path("properties").properties()) {
            attributes.add(attribute(property.getKey(), property.getValue(), required.contains(property.getKey())));
        }
        var aliases = new ArrayList<String>();
        document.path("aliases").forEach(alias -> aliases.add(alias.asString("")));
        var title = document.path("name").asString(document.path("title").asString(""));
        return new SchemaDefinition(named.orElse(title), document.has("aliases") ? aliases : null, attributes);
    }

    private AttributeDefinition attribute(String name, JsonNode property, boolean required) {
        var field = "properties." + name;
        if (!property.isObject()) {
            lost(field, Text.of("records.field.object"));
        }
        refuseOthers(field + ".", property, PROPERTY);
        boolean nullable = property.path("type").isArray();
        var type = type(field, property);
        boolean text = type == ValueType.TEXT;
        for (var keyword : List.of("minLength", "maxLength", "pattern")) {
            if (property.has(keyword) && !text) {
                lost(field + "." + keyword, Text.of("records.field.plain-strings-only"));
            }
        }
        for (var keyword : List.of("minimum", "maximum")) {
            if (property.has(keyword) && type != ValueType.NUMERIC) {
                lost(field + "." + keyword, Text.of("records.field.numbers-only"));
            }
        }
        return new AttributeDefinition(
                name,
                type.label(),
                required && !nullable,
                flag(field, property, "x-unique"),
                property.get("default"),
                options(property),
                property.get(text ? "minLength" : "minimum"),
                property.get(text ? "maxLength" : "maximum"),
                pattern(property),
                flag(field, property, "x-prefixSearch"),
                property.has("x-references") ? property.path("x-references").asString("") : null,
                null,
                format(property),
                null,
                null,
                flag(field, property, "x-many"));
    }

    private ValueType type(String field, JsonNode property) {
        var types = new ArrayList<String>();
        if (property.path("type").isArray()) {
            property.path("type").forEach(type -> types.add(type.asString("")));
            types.remove("null");
        } else {
            types.add(property.path("type").asString(""));
        }
        if (types.size() != 1) {
            lost(field + ".type", Text.of("records.field.one-type"));
            return ValueType.JSONB;
        }
        if (property.has("format") && !types.getFirst().equals("string")) {
            lost(field + ".format", Text.of("records.field.strings-only"));
        }
        return switch (types.getFirst()) {
            case "string" -> string(field, property);
            case "number", "integer" -> ValueType.NUMERIC;
            case "boolean" -> ValueType.BOOL;
            case "object", "array" -> ValueType.JSONB;
            default -> {
                lost(field + ".type", Text.of("records.field.json-type"));
                yield ValueType.JSONB;
            }
        };
    }

    private ValueType string(String field, JsonNode property) {
        return switch (property.path("format").asString("")) {
            case "", "email", "uri" -> ValueType.TEXT;
            case "date" -> ValueType.DATE;
            case "date-time" -> ValueType.DATETIME;
            default -> {
                lost(field + ".format", Text.of("records.field.format"));
                yield ValueType.TEXT;
            }
        };
    }

    private static @Nullable String format(JsonNode property) {
        if (property.has("x-format")) {
            return property.path("x-format").asString("");
        }
        return switch (property.path("format").asString("")) {
            case "email" -> ValueFormat.Kind.EMAIL.label();
            case "uri" -> ValueFormat.Kind.URL.label();
            default -> null;
        };
    }

    private static @Nullable List<JsonNode> options(JsonNode property) {
        if (property.has("const")) {
            return List.of(property.path("const"));
        }
        if (!property.has("enum")) {
            return null;
        }
        var options = new ArrayList<JsonNode>();
        // A null among the types means that the value is optional.
        property.path("enum").valueStream().filter(option -> !option.isNull()).forEach(options::add);
        return options;
    }

    /** Converts a pattern that may match anywhere. */
    private static @Nullable String pattern(JsonNode property) {
        if (!property.has("pattern")) {
            return null;
        }
        var pattern = property.path("pattern").asString("");
        boolean whole =
                pattern.startsWith("^") && pattern.endsWith("$") && !pattern.endsWith("\\$") && !pattern.contains("|");
        return whole ? pattern : "[\\s\\S]*(?:" + pattern + ")[\\s\\S]*";
    }

    private @Nullable Boolean flag(String field, JsonNode property, String keyword) {
        var flag = property.get(keyword);
        if (flag != null && !flag.isBoolean()) {
            lost(field + "." + keyword, Text.of("http.field.boolean"));
        }
        return flag == null ? null : (Boolean) flag.asBoolean(false);
    }

    private void refuseOthers(String prefix, JsonNode node, Set<String> known) {
        for (var keyword : node.propertyNames()) {
            if (!known.contains(keyword) && !REMARKS.contains(keyword)) {
                lost(prefix + keyword, Text.of("records.field.not-kept"));
            }
        }
    }

    private void lost(String field, Text message) {
        errors.add(new FieldError(field, message));
    }

    /** Parses a definition of either form. */
    static SchemaDefinition read(JsonNode body, boolean isJsonSchema, Optional<String> named) {
        return isJsonSchema || isOne(body)
                ? definition(body, named)
                : Json.readExact(body.toString(), SchemaDefinition.class);
    }
}
