package io.hiroba.records;

import io.hiroba.platform.http.Json;
import java.util.Collection;
import java.util.Comparator;
import java.util.stream.IntStream;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Converts documents, the JSON arrays that records are stored as, to the objects that callers see. */
public final class Documents {

    private static final JsonMapper EXACT = Json.exact();
    /** Duplicate keys need no check: the database has parsed the documents already. */
    private static final ObjectReader STORED = EXACT.reader().without(StreamReadFeature.STRICT_DUPLICATE_DETECTION);

    private static final Comparator<JsonNode> BY_VALUE = Documents::compared;

    private Documents() {}

    /** JSON with exact numbers. */
    public static JsonMapper exact() {
        return EXACT;
    }

    public static ArrayNode read(String stored) {
        return (ArrayNode) STORED.readTree(stored);
    }

    /**
     * The value of {@code attribute}, which is not of type JSON, or JSON null; the rest of the document is not parsed.
     */
    public static JsonNode scalar(String stored, SchemaAttribute attribute) {
        try (var parser = EXACT.createParser(stored)) {
            parser.nextToken();
            var token = parser.nextToken();
            for (int place = 0; place < attribute.place() && token != JsonToken.END_ARRAY; place++) {
                parser.skipChildren();
                token = parser.nextToken();
            }
            return switch (token) {
                case VALUE_STRING -> JsonNodeFactory.instance.stringNode(parser.getString());
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                    JsonNodeFactory.instance.numberNode(parser.getDecimalValue());
                case VALUE_TRUE, VALUE_FALSE -> JsonNodeFactory.instance.booleanNode(token == JsonToken.VALUE_TRUE);
                default -> JsonNodeFactory.instance.nullNode();
            };
        }
    }

    /** The values of {@code attributes} by name, without missing ones. */
    public static ObjectNode shown(Collection<SchemaAttribute> attributes, ArrayNode document) {
        var shown = EXACT.createObjectNode();
        for (var attribute : attributes) {
            var value = value(document, attribute);
            if (!value.isNull()) {
                shown.set(attribute.name(), attribute.type().shown(value));
            }
        }
        return shown;
    }

    /** Whether both have the same values: 100 equals 1e2, and the order of keys does not matter. */
    static boolean same(ArrayNode one, ArrayNode other) {
        return IntStream.range(0, Math.max(one.size(), other.size()))
                .allMatch(place -> at(one, place).equals(BY_VALUE, at(other, place)));
    }

    /** The same of two values. */
    static boolean same(JsonNode one, JsonNode other) {
        return one.equals(BY_VALUE, other);
    }

    private static int compared(JsonNode one, JsonNode other) {
        return one.isNumber() && other.isNumber()
                ? one.decimalValue().compareTo(other.decimalValue())
                : one.equals(other) ? 0 : 1;
    }

    private static JsonNode at(ArrayNode document, int place) {
        var value = document.get(place);
        return value == null ? document.nullNode() : value;
    }

    /** The value of {@code attribute}, or a JSON null. */
    public static JsonNode value(ArrayNode document, SchemaAttribute attribute) {
        return at(document, attribute.place());
    }

    /** Sets the value of {@code attribute}, whose place may be behind the end. */
    static void set(ArrayNode document, SchemaAttribute attribute, JsonNode value) {
        if (value.isNull() && document.size() <= attribute.place()) {
            return;
        }
        while (document.size() <= attribute.place()) {
            document.addNull();
        }
        document.set(attribute.place(), value);
    }
}
